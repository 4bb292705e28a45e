import { useState } from 'preact/hooks'
import type { SubmissionReply } from '../../../src/contract/enrichment.ts'
import { plural } from '../../lib/format.ts'
import { request } from '../../lib/http.ts'
import type { QuotedCost } from '../../ui/quoted.tsx'
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
  const batch = { domains }
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        Enrich
      </button>
      {isOpen && (
        <Quoted
          title={`Enrich ${plural(domains.length, 'account')}`}
          quote={() => request<QuotedCost>('POST', '/v2/quotes', { body: { batch } })}
          submit={async (key) => {
            const headers = { 'idempotency-key': key }
            const reply = await request<SubmissionReply>('POST', '/v2/enrich/batch', { body: batch, headers })
            onSubmitted(reply.task_id)
          }}
          onClose={() => setOpen(false)}
        >
          <p>All sources are queried again, also for accounts that are fresh.</p>
        </Quoted>
      )}
    </>
  )
}
