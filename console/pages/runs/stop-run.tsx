import { useState } from 'preact/hooks'
import type { WarehouseRun } from '../../../src/contract/warehouse.ts'
import { request } from '../../lib/http.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { toast } from '../../ui/feedback.tsx'

export function StopRun({ run, onStopped }: { run: WarehouseRun; onStopped: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const stop = async () => {
    await request('POST', `/v2/warehouse/runs/${run.id}/stop`)
    toast(`Run ${run.id} stops within seconds.`)
    onStopped()
  }
  return (
    <>
      <button
        type="button"
        class="button danger"
        disabled={run.stop_requested_at !== null}
        onClick={() => setOpen(true)}
      >
        {run.stop_requested_at === null ? 'Stop' : 'Stopping'}
      </button>
      {isOpen && (
        <Confirm
          title={`Stop run ${run.id}`}
          confirm="Stop the run"
          isDangerous
          run={stop}
          onClose={() => setOpen(false)}
        >
          <p>
            The run stops at the next safe point. Everything it has stored stays, and the next run resumes its work.
          </p>
        </Confirm>
      )}
    </>
  )
}
