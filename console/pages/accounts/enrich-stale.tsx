import { useState } from 'preact/hooks'
import { Quoted } from '../../ui/quoted.tsx'

/** Enriches every stale account on the list after showing a quote. */
export function EnrichStale({ onSubmitted }: { onSubmitted: (taskId: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        Enrich stale accounts
      </button>
      {isOpen && (
        <Quoted
          title="Enrich all stale accounts"
          requests={[{ list: {} }]}
          onSubmitted={onSubmitted}
          onClose={() => setOpen(false)}
        >
          <p>Accounts that are fresh or already being enriched are skipped.</p>
        </Quoted>
      )}
    </>
  )
}
