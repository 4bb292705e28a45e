import { useState } from 'preact/hooks'
import { plural } from '../../lib/format.ts'
import { batchesOf } from '../../lib/quotes.ts'
import { Quoted } from '../../ui/quoted.tsx'

/** Enriches the selected accounts after showing a quote. */
export function EnrichAccounts({
  domains,
  onSubmitted,
}: {
  domains: readonly string[]
  onSubmitted: (taskId: string) => void
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        Enrich
      </button>
      {isOpen && (
        <Quoted
          title={`Enrich ${plural(domains.length, 'account')}`}
          requests={batchesOf(domains)}
          onSubmitted={onSubmitted}
          onClose={() => setOpen(false)}
        >
          <p>All sources are queried again, even for accounts that are fresh.</p>
        </Quoted>
      )}
    </>
  )
}
