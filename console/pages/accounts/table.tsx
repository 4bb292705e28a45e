import type { TalPage } from '../../../src/contract/tal.ts'
import { formatNumber } from '../../lib/format.ts'
import { TableFrame } from '../../ui/table-frame.tsx'
import { Outside, Time } from '../../ui/text.tsx'
import { StatusBadge } from './status.tsx'

const COLUMNS = [
  ['Company', 'name'],
  ['Tag', undefined],
  ['Freshness', undefined],
  ['Enriched', 'enriched_at'],
  ['Industry', undefined],
  ['Employees', 'employee_count'],
  ['Headquarters', undefined],
  ['Last change', 'history_at'],
  ['Added', undefined],
] as const

interface AccountTableProps {
  page: TalPage
  selected: ReadonlySet<string>
  order: string
  onSelect: (selected: ReadonlySet<string>) => void
  onOrder: (order: string) => void
  onSource: (source: string) => void
}

export function AccountTable({ page, selected, order, onSelect, onOrder, onSource }: AccountTableProps) {
  const domains = page.companies.map(({ domain }) => domain)
  const isAll = domains.every((domain) => selected.has(domain))
  const toggle = (domain: string) => {
    const next = new Set(selected)
    if (!next.delete(domain)) next.add(domain)
    onSelect(next)
  }
  return (
    <TableFrame label="Target accounts">
      <thead>
        <tr>
          <th scope="col" class="pick no-print">
            <input
              type="checkbox"
              aria-label="Select all accounts on this page"
              checked={isAll}
              onChange={() => onSelect(new Set(isAll ? [] : domains))}
            />
          </th>
          {COLUMNS.map(([label, field]) => (
            <Heading key={label} label={label} field={field} order={order} onOrder={onOrder} />
          ))}
        </tr>
      </thead>
      <tbody>
        {page.companies.map((company) => (
          <tr key={company.domain}>
            <td class="pick no-print">
              <input
                type="checkbox"
                aria-label={`Select ${company.domain}`}
                checked={selected.has(company.domain)}
                onChange={() => toggle(company.domain)}
              />
            </td>
            <td class="company">
              <a class="cell-link" href={`/console/companies/${encodeURIComponent(company.domain)}`}>
                <Outside max={90}>{company.name ?? company.domain}</Outside>
              </a>
              {company.name && (
                <div class="muted outside truncate" title={company.domain}>
                  {company.domain}
                </div>
              )}
            </td>
            <td>
              {company.source && (
                <button
                  type="button"
                  class="tag truncate"
                  title={`Show accounts with the tag ${company.source}`}
                  onClick={() => onSource(company.source ?? '')}
                >
                  <Outside max={40}>{company.source}</Outside>
                </button>
              )}
            </td>
            <td>
              <StatusBadge company={company} freshDays={page.fresh_days} />
            </td>
            <td>
              <Time iso={company.enriched_at} />
            </td>
            <td>
              <Outside max={60}>{company.industry}</Outside>
            </td>
            <td class="num">
              {company.employee_count === null ? (
                <Outside>{company.employee_range}</Outside>
              ) : (
                formatNumber(company.employee_count)
              )}
            </td>
            <td>
              <Outside max={60}>
                {[company.headquarters_city, company.headquarters_state].filter(Boolean).join(', ')}
              </Outside>
            </td>
            <td>
              <Time iso={company.history_at} />
            </td>
            <td>
              <Time iso={company.added_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}

interface HeadingProps {
  label: string
  field: string | undefined
  order: string
  onOrder: (order: string) => void
}

function Heading({ label, field, order, onOrder }: HeadingProps) {
  const isNumber = field === 'employee_count'
  if (field === undefined) return <th scope="col">{label}</th>
  const [current, direction] = order.split('.')
  const isSorted = current === field
  // Names sort ascending first, other columns descending.
  const first = field === 'name' ? 'asc' : 'desc'
  const next = isSorted && direction === first ? (first === 'asc' ? 'desc' : 'asc') : first
  return (
    <th
      scope="col"
      class={isNumber ? 'num' : undefined}
      aria-sort={isSorted ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      <button type="button" class="sort" onClick={() => onOrder(`${field}.${next}`)}>
        {label} <span aria-hidden="true">{isSorted ? (direction === 'asc' ? '↑' : '↓') : ''}</span>
      </button>
    </th>
  )
}
