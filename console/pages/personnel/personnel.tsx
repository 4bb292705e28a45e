import type { WarehouseQueryResult } from '../../../src/contract/warehouse-query.ts'
import { plural } from '../../lib/format.ts'
import { withQuery } from '../../lib/http.ts'
import { useQuery } from '../../lib/use-query.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Empty, Notice } from '../../ui/feedback.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { TableCard } from '../../ui/table-frame.tsx'
import { Outside, Time } from '../../ui/text.tsx'
import { DownloadCsv } from '../sql/download-csv.tsx'
import { changesQuery, KINDS, PERIODS } from './changes.ts'

/** Maximum number of changes on the page. */
const ROWS = 1_000

/** Lists people who joined an account, left it or changed title in a period. */
export function Personnel() {
  const { query, change } = useQuery()
  const { kind = KINDS[0][0], period = PERIODS[0][0] } = query
  const sql = changesQuery({ kind, period })
  // With a limit, PostgreSQL reads only the newest changes. Requests one extra row to detect whether more changes
  // exist.
  const found = useResource<WarehouseQueryResult>('/v2/warehouse/query', {
    sql: `${sql}\nlimit ${ROWS + 1}`,
    limit: ROWS,
  })
  return (
    <Page
      name="Personnel changes"
      title="Personnel changes"
      lead="People who joined or left your target accounts, or have a new title."
      actions={
        <a class="button" href={withQuery('/console/sql', { sql })}>
          Open as SQL
        </a>
      }
    >
      <div>
        <div class="toolbar no-print">
          <Choice label="Change" value={kind} options={KINDS} onChange={(name) => change({ kind: name })} />
          <Choice label="Period" value={period} options={PERIODS} onChange={(name) => change({ period: name })} />
        </div>
        <Loaded resource={found} lines={8}>
          {(result) => <Changes result={result} kind={kind} />}
        </Loaded>
      </div>
    </Page>
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly (readonly [value: string, name: string, ...unknown[]])[]
  onChange: (value: string) => void
}

const Choice = ({ label, value, options, onChange }: ChoiceProps) => (
  <select class="input" aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
    {options.map(([name, text]) => (
      <option key={name} value={name}>
        {text}
      </option>
    ))}
  </select>
)

/** A row of the query result, in column order. */
type Change = [
  domain: string,
  company: string | null,
  person: string,
  title: string | null,
  oldTitle: string | null,
  evidence: string | null,
  changedAt: string,
]

/** Evidence that the person is new, has left or has a new title. */
const EVIDENCE: Record<string, string> = {
  news: 'named in news',
  listed: 'listed by a source',
  returned: 'listed again',
  unlisted: 'no longer listed',
}

function Changes({ result, kind }: { result: WarehouseQueryResult; kind: string }) {
  const rows = result.rows as Change[]
  if (rows.length === 0)
    return (
      <Empty
        title="No changes of this kind in this period"
        link={{ name: 'Show people who were first seen', href: '/console/personnel?kind=first_seen' }}
      >
        Changes are detected when a company's people are enriched again. People found by a company’s first search are
        “first seen”, because they may have worked there for years.
      </Empty>
    )
  return (
    <TableCard
      title={plural(rows.length, 'person', 'people')}
      aside={<DownloadCsv result={result} name={`personnel-${kind}.csv`} />}
      label="Personnel changes"
      columns={[
        'When',
        'Account',
        'Person',
        'Title',
        ...(kind === 'title_changed' ? ['Previous title'] : []),
        'Evidence',
      ]}
    >
      {rows.map(([domain, company, person, title, oldTitle, evidence, changedAt]) => (
        <tr key={`${domain} ${person} ${changedAt}`}>
          <td>
            <Time iso={changedAt} />
          </td>
          <td class="company">
            <a class="cell-link" href={`/console/companies/${encodeURIComponent(domain)}?tab=people`}>
              <Outside max={90}>{company ?? domain}</Outside>
            </a>
          </td>
          <th scope="row">
            <Outside max={120}>{person}</Outside>
          </th>
          <td>
            <Outside max={120}>{title}</Outside>
          </td>
          {kind === 'title_changed' && (
            <td>
              <Outside max={120}>{oldTitle}</Outside>
            </td>
          )}
          <td>{evidence === null ? <span class="faint">–</span> : (EVIDENCE[evidence] ?? evidence)}</td>
        </tr>
      ))}
      {result.is_truncated && (
        <tr>
          <td colSpan={6}>
            <Notice tone="warn">Only the newest {plural(ROWS, 'change')} are shown. Choose a shorter period.</Notice>
          </td>
        </tr>
      )}
    </TableCard>
  )
}
