import type { WarehouseRun } from '../../../src/contract/warehouse.ts'
import { request } from '../../lib/http.ts'
import { ConfirmButton } from '../../ui/dialog.tsx'
import { toast } from '../../ui/feedback.tsx'

export function StopRun({ run, onStopped }: { run: WarehouseRun; onStopped: () => void }) {
  const stop = async () => {
    await request('POST', `/v2/warehouse/runs/${run.id}/stop`)
    toast(`Run ${run.id} stops within seconds.`)
    onStopped()
  }
  return (
    <ConfirmButton
      label={run.stop_requested_at === null ? 'Stop' : 'Stopping'}
      look="danger"
      isDisabled={run.stop_requested_at !== null}
      title={`Stop run ${run.id}`}
      confirm="Stop the run"
      isDangerous
      run={stop}
    >
      <p>The run stops at the next safe point. Everything it has stored is kept, and the next run resumes its work.</p>
    </ConfirmButton>
  )
}
