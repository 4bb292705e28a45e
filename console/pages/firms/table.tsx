import { formatDay, formatField, formatNumber } from '../../lib/format.ts'
import { TableFrame } from '../../ui/table-frame.tsx'
import { Outside, OutsideLink } from '../../ui/text.tsx'
import type { FirmFieldName } from './firm-query.ts'
import { isNumeric, isSortable, typeOf } from './firm-query.ts'

interface FirmTableProps {
  firms: readonly unknown[]
  columns: readonly FirmFieldName[]
  order: string
  onOrder: (order: string) => void
}

export function FirmTable({ firms, columns, order, onOrder }: FirmTableProps) {
  const [sorted, direction] = order.split('.')
  const rows = firms as readonly Record<string, unknown>[]
  return (
    <TableFrame label="Firms">
      <thead>
        <tr>
          {columns.map((field) => (
            <th
              scope="col"
              key={field}
              class={isNumber(field) ? 'num' : undefined}
              aria-sort={sorted === field ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
            >
              {isSortable(field) ? (
                <button type="button" class="sort" onClick={() => onOrder(nextOrder(field, sorted, direction))}>
                  {formatField(field)}{' '}
                  <span aria-hidden="true">{sorted === field ? (direction === 'asc' ? '↑' : '↓') : ''}</span>
                </button>
              ) : (
                formatField(field)
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((firm, index) => (
          <tr key={index}>
            {columns.map((field) => (
              <td key={field} class={isNumber(field) ? 'num' : field.endsWith('_name') ? 'company' : undefined}>
                <Cell field={field} value={firm[field]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}

const isNumber = (field: FirmFieldName): boolean => isNumeric(field) && !/_(number|year)$/.test(field)

function nextOrder(field: FirmFieldName, sorted: string | undefined, direction: string | undefined): string {
  const first = isNumber(field) || typeOf(field) === 'date' ? 'desc' : 'asc'
  if (sorted !== field) return `${field}.${first}`
  return `${field}.${direction === 'asc' ? 'desc' : 'asc'}`
}

function Cell({ field, value }: { field: FirmFieldName; value: unknown }) {
  if (value === null || value === undefined) return <Outside>{null}</Outside>
  if (field === 'website_domain')
    return <a href={`/console/companies/${encodeURIComponent(String(value))}`}>{String(value)}</a>
  if (field === 'website' || field === 'social_url') return <OutsideLink url={String(value)} />
  if (Array.isArray(value)) return <Outside max={60}>{value.join(', ')}</Outside>
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>
  if (typeof value === 'number' && isNumber(field)) return <>{formatNumber(Math.round(value))}</>
  if (typeOf(field) === 'date') return <span class="nowrap">{formatDay(String(value))}</span>
  if (field === 'sec_number') return <span class="nowrap">{String(value)}</span>
  return <Outside max={80}>{String(value)}</Outside>
}
