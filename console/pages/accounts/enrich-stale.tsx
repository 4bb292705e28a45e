import { useState } from 'preact/hooks'
import type { TalSubmissionReply } from '../../../src/contract/enrichment.ts'
import { request } from '../../lib/http.ts'
import type { QuotedCost } from '../../ui/quoted.tsx'
import { Quoted } from '../../ui/quoted.tsx'

const PATH = '/v2/clients/me/tal/enrich'

/** Enriches every stale account on the list after showing a quote. */
export function EnrichStale({ onSubmitted }: { onSubmitted: (taskId: string | null) => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        Enrich stale accounts
      </button>
      {isOpen && (
        <Quoted
          title="Enrich all stale accounts"
          quote={() => request<QuotedCost>('POST', '/v2/quotes', { body: { list: {} } })}
          submit={async (key) => {
            const headers = { 'idempotency-key': key }
            const reply = await request<TalSubmissionReply>('POST', PATH, { body: {}, headers })
            onSubmitted(reply.task_id)
          }}
          onClose={() => setOpen(false)}
        >
          <p>Accounts that are fresh or already being enriched are skipped.</p>
        </Quoted>
      )}
    </>
  )
}
