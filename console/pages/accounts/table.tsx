import type { TalAttributes, TalPage } from '../../../src/contract/tal.ts'
import { formatNumber, printable } from '../../lib/format.ts'
import { TableFrame } from '../../ui/table-frame.tsx'
import { Outside, Time } from '../../ui/text.tsx'
import { StatusBadge } from './status.tsx'

const COLUMNS = [
  ['Company', 'name'],
  ['Enriched', 'enriched_at'],
  ['Tag', undefined],
  ['Your columns', undefined],
  ['Industry', undefined],
  ['Employees', 'employee_count'],
  ['Headquarters', undefined],
  ['Last change', 'history_at'],
] as const

interface AccountTableProps {
  page: TalPage
  selected: ReadonlySet<string>
  order: string
  onSelect: (selected: ReadonlySet<string>) => void
  onOrder: (order: string) => void
  onSource: (source: string) => void
  /** Called with an attribute filter, as `name:value`. */
  onAttribute: (filter: string) => void
}

export function AccountTable({ page, selected, order, onSelect, onOrder, onSource, onAttribute }: AccountTableProps) {
  const domains = page.companies.map(({ domain }) => domain)
  const hasAttributes = page.companies.some(({ attributes }) => Object.keys(attributes).length > 0)
  const columns = COLUMNS.filter(([label]) => hasAttributes || label !== 'Your columns')
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
          {columns.map(([label, field]) => (
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
              <StatusBadge company={company} freshDays={page.fresh_days} />
              {company.enriched_at && (
                <div class="muted">
                  <Time iso={company.enriched_at} />
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
            {hasAttributes && (
              <td>
                <Attributes attributes={company.attributes} onAttribute={onAttribute} />
              </td>
            )}
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
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}

/** Maximum number of attributes shown per row; the company's page lists all of them. */
const SHOWN_ATTRIBUTES = 2
/** Maximum length of an attribute filter. */
const MAX_FILTER = 1_000

/** Shows the first attributes imported with the account, as buttons that filter the list. */
function Attributes({ attributes, onAttribute }: { attributes: TalAttributes; onAttribute: (filter: string) => void }) {
  const all = Object.entries(attributes)
  if (all.length === 0) return <span class="faint">–</span>
  return (
    <span class="attributes">
      {all.slice(0, SHOWN_ATTRIBUTES).map(([name, value]) => {
        const text = `${printable(name)}: ${printable(value)}`.slice(0, 200)
        const filter = `${name}:${value}`
        return (
          <button
            key={name}
            type="button"
            class="tag truncate attribute"
            title={`Show accounts with ${text}`}
            // In the filter, an attribute name ends at the first colon.
            disabled={name.includes(':') || filter.length > MAX_FILTER}
            onClick={() => onAttribute(filter)}
          >
            <bdi>{text}</bdi>
          </button>
        )
      })}
      {all.length > SHOWN_ATTRIBUTES && <span class="muted nowrap">+{all.length - SHOWN_ATTRIBUTES}</span>}
    </span>
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
  // The first click sorts the name column ascending and other columns descending.
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
