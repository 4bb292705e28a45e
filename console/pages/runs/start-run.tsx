import { useState } from 'preact/hooks'
import type { RunRequested, WarehouseRunPage } from '../../../src/contract/warehouse.ts'
import { request } from '../../lib/http.ts'
import { ConfirmButton } from '../../ui/dialog.tsx'
import { toast } from '../../ui/feedback.tsx'
import { pipelineName } from './run-state.tsx'

/** Starts a nightly run or the given pipeline. */
export function StartRun({
  pipelines,
  initial = 'nightly',
  label = 'Start a run',
  onStarted,
}: {
  pipelines: WarehouseRunPage['pipelines']
  initial?: string
  label?: string
  onStarted: () => void
}) {
  const [pipeline, setPipeline] = useState(initial)
  const start = async () => {
    const { message } = await request<RunRequested>('POST', '/v2/warehouse/runs', { body: { pipeline } })
    toast(message)
    onStarted()
  }
  return (
    <ConfirmButton label={label} title="Start a run" confirm={`Start ${pipeline}`} run={start}>
      {pipelines.length > 0 && (
        <label class="field">
          <span>Pipeline</span>
          <select class="input" value={pipeline} onChange={(event) => setPipeline(event.currentTarget.value)}>
            {pipelines.map(({ name }) => (
              <option key={name} value={name}>
                {pipelineName(name)} ({name})
              </option>
            ))}
          </select>
        </label>
      )}
      <p>
        {pipelines.find(({ name }) => name === pipeline)?.description ?? 'Runs all steps of a nightly run, in order.'}.
      </p>
      <p class="muted">
        {pipeline === 'nightly' || pipeline === 'enrich-due'
          ? 'It spends units on accounts that are due, up to the limit per night. An interrupted run is resumed.'
          : 'It costs no units. An interrupted run is resumed.'}
      </p>
    </ConfirmButton>
  )
}
