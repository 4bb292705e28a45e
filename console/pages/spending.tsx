import type { LedgerEntry, LedgerPage, Usage } from '../../src/contract/usage.ts'
import { formatDay, formatNumber } from '../lib/format.ts'
import { withQuery } from '../lib/http.ts'
import { liveTasks, useReloadOnChange } from '../lib/live.ts'
import { useQuery } from '../lib/use-query.ts'
import { useResource } from '../lib/use-resource.ts'
import { Empty } from '../ui/feedback.tsx'
import { Figure } from '../ui/figure.tsx'
import { Card, Loaded, Page } from '../ui/page.tsx'
import { PageLinks } from '../ui/pager.tsx'
import { num, TableFrame, wide } from '../ui/table-frame.tsx'
import { Outside, Time } from '../ui/text.tsx'

const PAGE = 100
const KINDS: Record<LedgerEntry['kind'], string> = {
  charge: 'Charge',
  refund: 'Refund',
  grant: 'Grant',
  period_start: 'New period',
}

/** The balance and every ledger entry. */
export function Spending() {
  const { query, href } = useQuery()
  const before = query['before']
  const usage = useResource<Usage>('/v2/usage')
  const ledger = useResource<LedgerPage>(withQuery('/v2/usage/ledger', { limit: PAGE, before }))
  useReloadOnChange(liveTasks.value, () => {
    usage.reload()
    ledger.reload()
  })
  return (
    <Page
      name="Spending"
      title="Spending"
      lead="The balance in units, and every charge and refund with the balance after it."
    >
      <Loaded resource={usage} lines={3}>
        {(data) => (
          <dl class="card figures">
            <Figure name="Units left">{formatNumber(data.units_remaining)}</Figure>
            <Figure name="Used this period">{formatNumber(data.units_used_this_period)}</Figure>
            <Figure name="Period ends">{formatDay(data.period_ends_at)}</Figure>
            <Figure name="Plan">{data.plan}</Figure>
            <Figure name="Overspending">{data.overage_allowed ? 'allowed' : 'not allowed'}</Figure>
          </dl>
        )}
      </Loaded>
      <Loaded resource={ledger} lines={10}>
        {({ entries, limit }) => (
          <Card title="Ledger" flush>
            {entries.length === 0 ? (
              <Empty title="No entries">
                Charges appear here when enrichment is submitted, and refunds if no data is found.
              </Empty>
            ) : (
              <Ledger entries={entries} />
            )}
            <PageLinks
              links={[
                entries.length === limit && { name: 'Older entries', href: href({ before: entries.at(-1)?.entry_id }) },
              ]}
            />
          </Card>
        )}
      </Loaded>
    </Page>
  )
}

const Ledger = ({ entries }: { entries: readonly LedgerEntry[] }) => (
  <TableFrame label="Ledger" columns={['When', 'Entry', 'Task', wide('Reason'), num('Units'), num('Balance')]}>
    <tbody>
      {entries.map((entry) => (
        <tr key={entry.entry_id}>
          <td>
            <Time iso={entry.created_at} absolute />
          </td>
          <td>{KINDS[entry.kind]}</td>
          <td>
            {entry.task_id ? (
              <a href={`/console/tasks/${entry.task_id}`}>
                <code>{entry.task_id.slice(0, 8)}</code>
              </a>
            ) : (
              <span class="faint">–</span>
            )}
          </td>
          <td>
            <Outside>{entry.reason}</Outside>
          </td>
          <td class="num">
            {entry.units > 0 ? '+' : ''}
            {formatNumber(entry.units)}
          </td>
          <td class="num">{formatNumber(entry.balance_after)}</td>
        </tr>
      ))}
    </tbody>
  </TableFrame>
)
