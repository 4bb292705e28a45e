import { useState } from 'preact/hooks'
import type { SubmissionReply } from '../../../src/contract/enrichment.ts'
import type { TalImport } from '../../../src/contract/tal-sheets.ts'
import { plural } from '../../lib/format.ts'
import { request } from '../../lib/http.ts'
import { may } from '../../lib/session.ts'
import { Notice } from '../../ui/feedback.tsx'
import type { QuotedCost } from '../../ui/quoted.tsx'
import { Quoted } from '../../ui/quoted.tsx'
import { TaskProgress } from '../../ui/task-progress.tsx'

/** Maximum companies of one enrichment. The nights enrich the rest. */
const BATCH = 1000

/** The import's outcome, with the next steps: enrich after a quote, follow, and download the list. */
export function Imported({
  imported,
  accepted,
  onAnother,
}: {
  imported: TalImport
  accepted: ReadonlySet<number>
  onAnother: () => void
}) {
  const [isQuoting, setQuoting] = useState(false)
  const [task, setTask] = useState<string>()
  const found = imported.results.flatMap(({ status, row, domain }) =>
    domain !== null && (status === 'matched' || (status === 'doubtful' && accepted.has(row))) ? [domain] : [],
  )
  const domains = [...new Set(found)].slice(0, BATCH)
  const batch = { domains }
  return (
    <>
      <Notice tone="good">
        <p class="strong">
          {plural(imported.added, 'company', 'companies')} added, {imported.updated} updated.
        </p>
        <p class="muted">Nights enrich new accounts within the budget. Enrich them now to use the data at once.</p>
      </Notice>
      {task && <TaskProgress id={task} onEnded={() => undefined} onClose={() => setTask(undefined)} />}
      <div class="row wrap">
        {may('enrich') && domains.length > 0 && (
          <button type="button" class="button primary" onClick={() => setQuoting(true)}>
            Enrich {plural(domains.length, 'company', 'companies')}
          </button>
        )}
        <a class="button" href="/v2/clients/me/tal/export" download="target-account-list.csv">
          Download the list as CSV
        </a>
        <a class="button" href="/console/accounts">
          Show the list
        </a>
        <button type="button" class="button quiet" onClick={onAnother}>
          Upload another file
        </button>
      </div>
      {isQuoting && (
        <Quoted
          title={`Enrich ${plural(domains.length, 'company', 'companies')}`}
          quote={() => request<QuotedCost>('POST', '/v2/enrich/quote', { body: { batch } })}
          submit={async (key) => {
            const headers = { 'idempotency-key': key }
            const reply = await request<SubmissionReply>('POST', '/v2/enrich/batch', { body: batch, headers })
            setTask(reply.task_id)
          }}
          onClose={() => setQuoting(false)}
        >
          <p>Companies that are fresh or already being enriched are not charged.</p>
        </Quoted>
      )}
    </>
  )
}
