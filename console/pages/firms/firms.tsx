import { useState } from 'preact/hooks'
import type { FirmPage, FirmSummary } from '../../../src/contract/firms.ts'
import { formatDay, formatMoney, plural } from '../../lib/format.ts'
import { asRequestError, download } from '../../lib/http.ts'
import { useQuery } from '../../lib/use-query.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Empty, toast } from '../../ui/feedback.tsx'
import { Card, Loaded, Page } from '../../ui/page.tsx'
import { PageLinks } from '../../ui/pager.tsx'
import { Copy } from '../../ui/text.tsx'
import { Columns } from './columns.tsx'
import { Conditions } from './conditions.tsx'
import { asCurl, asSql, asTypeScript } from './copied-query.ts'
import type { Condition } from './firm-query.ts'
import { DEFAULT_ORDER, readColumns, readConditions, toFilters, writeConditions } from './firm-query.ts'
import { Summary } from './summary.tsx'
import { FirmTable } from './table.tsx'

const PAGE = 50

/** Queries the firms on the SEC's rosters: filters, columns and order, with totals, charts and an export. */
export function Firms() {
  const { query, href, change } = useQuery()
  const conditions = readConditions(query['where'])
  const columns = readColumns(query['columns'])
  const order = query['order'] ?? DEFAULT_ORDER
  const filters = toFilters(conditions)
  const cursor = query['cursor']
  const body = { select: columns, filters, order, limit: PAGE, ...(cursor && { cursor }) }
  const page = useResource<FirmPage>('/firms', body)
  const summary = useResource<FirmSummary>('/v2/firms/summary', { filters })
  const refine = (changed: readonly Condition[]) => change({ where: writeConditions(changed), cursor: undefined })
  const copied = { conditions, columns, order }
  return (
    <Page
      name="Firms"
      title="Firms"
      lead={page.data && describe(page.data, summary.data)}
      actions={
        page.data &&
        page.data.total_count > 0 && <Export total={page.data.total_count} body={{ select: columns, filters, order }} />
      }
    >
      <Card>
        <div class="stack-small no-print">
          <Conditions conditions={conditions} onChange={refine} />
          <div class="row wrap">
            <Columns
              columns={columns}
              onChange={(chosen) => change({ columns: chosen.join(','), cursor: undefined })}
            />
            <span class="row wrap">
              <Copy text={asCurl(copied, location.origin)} label="Copy as curl">
                Copy as curl
              </Copy>
              <Copy text={asSql(copied)} label="Copy as SQL">
                Copy as SQL
              </Copy>
              <Copy text={asTypeScript(copied, location.origin)} label="Copy as TypeScript">
                Copy as TypeScript
              </Copy>
            </span>
          </div>
        </div>
      </Card>
      <Loaded resource={page} lines={12}>
        {(data) =>
          data.data.length === 0 ? (
            <Nothing isFiltered={Object.keys(filters).length > 0} />
          ) : (
            <div>
              <FirmTable
                firms={data.data}
                columns={columns}
                order={order}
                onOrder={(next) => change({ order: next, cursor: undefined })}
              />
              <PageLinks
                links={[
                  cursor !== undefined && { name: 'First', href: href({ cursor: undefined }) },
                  typeof data.next_cursor === 'string' && { name: 'Next', href: href({ cursor: data.next_cursor }) },
                ]}
              >
                {PAGE} firms per page
              </PageLinks>
            </div>
          )
        }
      </Loaded>
      {page.data && page.data.data.length > 0 && (
        <Loaded resource={summary}>
          {(data) => (
            <Summary
              summary={data}
              onState={(state) =>
                refine([
                  ...conditions.filter(({ field }) => field !== 'state'),
                  { field: 'state', operator: 'eq', value: state },
                ])
              }
            />
          )}
        </Loaded>
      )}
    </Page>
  )
}

function describe({ total_count, as_of }: FirmPage, summary: FirmSummary | undefined): string {
  const assets = summary ? ` with ${formatMoney(summary.aum_total_usd)} under management` : ''
  return `${plural(total_count, 'firm')}${assets}${as_of ? `, from the roster of ${formatDay(as_of)}` : ''}.`
}

function Export({ total, body }: { total: number; body: object }) {
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      await download('/v2/firms/export', body, 'firms.csv')
    } catch (error) {
      toast(asRequestError(error).message)
    }
    setBusy(false)
  }
  return (
    <button type="button" class="button" disabled={isBusy} onClick={() => void run()}>
      {isBusy ? 'Exporting …' : `Export ${plural(total, 'firm')} as CSV`}
    </button>
  )
}

const Nothing = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="No firm matches" link={{ name: 'Remove all filters', href: '/console/firms' }}>
      Remove a filter, or choose a less restrictive value.
    </Empty>
  ) : (
    <Empty title="No firms are stored yet">
      An operator imports the SEC's monthly roster with <code>talhouse firms import</code>.
    </Empty>
  )
