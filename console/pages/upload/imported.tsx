import { useState } from 'preact/hooks'
import type { TalImport } from '../../../src/contract/tal-sheets.ts'
import { formatNumber, plural } from '../../lib/format.ts'
import { batchesOf } from '../../lib/quotes.ts'
import { may } from '../../lib/session.ts'
import { Notice } from '../../ui/feedback.tsx'
import { Quoted } from '../../ui/quoted.tsx'
import { TaskProgress } from '../../ui/task-progress.tsx'

/** The import's outcome and the next steps: enrich the companies, follow the progress, and download the list. */
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
  const [tasks, setTasks] = useState<readonly string[]>([])
  const found = imported.results.flatMap(({ status, row, domain }) =>
    domain !== null && (status === 'matched' || (status === 'doubtful' && accepted.has(row))) ? [domain] : [],
  )
  const domains = [...new Set(found)]
  return (
    <>
      <Notice tone="good">
        <p class="strong">
          {plural(imported.added, 'company', 'companies')} added
          {domains.length > imported.added && `, ${formatNumber(domains.length - imported.added)} already on the list`}
          {imported.updated > 0 && ` (${formatNumber(imported.updated)} with new values)`}.
        </p>
        <p class="muted">
          Nightly runs enrich new accounts within the budget. Enrich them now to use the data immediately.
        </p>
      </Notice>
      {tasks.map((id) => (
        <TaskProgress
          key={id}
          id={id}
          onEnded={() => undefined}
          onClose={() => setTasks(tasks.filter((other) => other !== id))}
        />
      ))}
      <div class="row wrap">
        {may('enrich') && domains.length > 0 && (
          <button
            type="button"
            class={tasks.length === 0 ? 'button primary' : 'button'}
            onClick={() => setQuoting(true)}
          >
            Enrich {plural(domains.length, 'company', 'companies')}
            {tasks.length > 0 && ' again'}
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
          requests={batchesOf(domains)}
          onSubmitted={(id) => setTasks((known) => [...new Set([...known, id])])}
          onClose={() => setQuoting(false)}
        >
          <p>All sources are queried again, even for companies that are fresh.</p>
        </Quoted>
      )}
    </>
  )
}
