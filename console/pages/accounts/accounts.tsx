import { useState } from 'preact/hooks'
import type { TalPage } from '../../../src/contract/tal.ts'
import { formatNumber, plural } from '../../lib/format.ts'
import { withQuery } from '../../lib/http.ts'
import { may } from '../../lib/session.ts'
import { useQuery } from '../../lib/use-query.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Empty } from '../../ui/feedback.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Search } from '../../ui/search.tsx'
import { TaskProgress } from '../../ui/task-progress.tsx'
import { AddAccounts } from './add-accounts.tsx'
import { EnrichAccounts } from './enrich-accounts.tsx'
import { EnrichStale } from './enrich-stale.tsx'
import { LIST } from './list.ts'
import { RemoveAccounts } from './remove-accounts.tsx'
import { AccountTable } from './table.tsx'

const PAGE = 50
const COUNT_LIMIT = 10_000

const VIEWS = [
  ['', 'All'],
  ['stale', 'Stale or never enriched'],
  ['pending', 'In progress'],
  ['failed', 'Failed'],
  ['not_found', 'Not found'],
  ['changed', 'Changed this week'],
] as const

/** The target account list: search, filter, add, enrich and remove. */
export function Accounts() {
  const { query, change } = useQuery()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [task, setTask] = useState<string>()
  const { status = '', query: text = '', source = '', attribute = '', order = '' } = query
  const offset = Number(query['offset'] ?? 0)
  const page = useResource<TalPage>(
    withQuery(LIST, {
      limit: PAGE,
      offset: offset || undefined,
      query: text,
      source,
      attribute,
      order,
      ...(status === 'changed' ? { changed_since: weekAgo() } : { status }),
    }),
  )
  const isFiltered = Boolean(status || text || source || attribute)
  const refine = (values: Record<string, string>) => {
    setSelected(new Set())
    change({ ...values, offset: undefined })
  }
  const followTask = (id: string) => {
    setSelected(new Set())
    setTask(id)
    page.reload()
  }
  const chosen = page.data?.companies.filter(({ domain }) => selected.has(domain)) ?? []
  return (
    <Page
      name="Target accounts"
      title="Target accounts"
      lead={page.data && describe(page.data, isFiltered)}
      actions={
        <>
          {may('enrich') && <EnrichStale onSubmitted={followTask} />}
          <a class="button" href="/v2/clients/me/tal/export" download="target-account-list.csv">
            Download as CSV
          </a>
          <a class="button" href="/console/accounts/upload">
            Upload a CSV file
          </a>
          <AddAccounts onAdded={page.reload} />
        </>
      }
    >
      {task && <TaskProgress id={task} onEnded={page.reload} onClose={() => setTask(undefined)} />}
      <div>
        <div class="toolbar no-print">
          <Search value={text} label="Search name or domain" onSearch={(found) => refine({ query: found })} />
          <select
            class="input"
            aria-label="Show"
            value={status}
            onChange={(event) => refine({ status: event.currentTarget.value })}
          >
            {VIEWS.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          {source && (
            <button type="button" class="button" onClick={() => refine({ source: '' })}>
              Tag: <bdi class="outside">{source}</bdi> ×
            </button>
          )}
          {attribute && (
            <button type="button" class="button" onClick={() => refine({ attribute: '' })}>
              <bdi class="outside">{attribute.replace(':', ': ')}</bdi> ×
            </button>
          )}
          {chosen.length > 0 && (
            <span class="row wrap">
              <span class="strong">{formatNumber(chosen.length)} selected</span>
              {may('enrich') && (
                <EnrichAccounts domains={chosen.map(({ domain }) => domain)} onSubmitted={followTask} />
              )}
              <RemoveAccounts
                accounts={chosen}
                onChanged={() => {
                  setSelected(new Set())
                  page.reload()
                }}
              />
            </span>
          )}
        </div>
        <Loaded resource={page} lines={12}>
          {(data) =>
            data.companies.length === 0 ? (
              <Nothing isFiltered={isFiltered} onAdded={page.reload} />
            ) : (
              <>
                <AccountTable
                  page={data}
                  selected={selected}
                  order={order || 'domain.asc'}
                  onSelect={setSelected}
                  onOrder={(field) => change({ order: field, offset: undefined })}
                  onSource={(tag) => refine({ source: tag })}
                  onAttribute={(filter) => refine({ attribute: filter })}
                />
                <Pager
                  offset={offset}
                  shown={data.companies.length}
                  limit={PAGE}
                  total={data.total}
                  isMinimum={isFiltered && data.total >= COUNT_LIMIT}
                  href={(start) => withQuery('/console/accounts', { ...query, offset: start || undefined })}
                />
              </>
            )
          }
        </Loaded>
      </div>
    </Page>
  )
}

/** Returns the time a week ago, rounded to the hour so that the request's URL rarely changes while the page is open. */
const weekAgo = (): string => new Date(Math.floor(Date.now() / 3_600_000 - 7 * 24) * 3_600_000).toISOString()

const describe = ({ total, fresh_days }: TalPage, isFiltered: boolean): string =>
  isFiltered
    ? `${total >= COUNT_LIMIT ? 'More than ' : ''}${plural(total, 'account')} match.`
    : `${plural(total, 'account')} on your list. Data older than ${plural(fresh_days, 'day')} is stale.`

function Nothing({ isFiltered, onAdded }: { isFiltered: boolean; onAdded: () => void }) {
  if (isFiltered)
    return (
      <Empty title="No account matches" link={{ name: 'Show all accounts', href: '/console/accounts' }}>
        Search for another name or domain, or choose another filter.
      </Empty>
    )
  return (
    <Empty title="Your list is empty" action={<AddAccounts onAdded={onAdded} />}>
      Add the domains of the companies you care about. talhouse keeps their data fresh from the next nightly run on.
    </Empty>
  )
}
