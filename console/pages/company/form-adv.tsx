import type { FormAdv as Filing } from '../../../src/contract/companies.ts'
import { formatDay, formatField, formatMoney, formatNumber } from '../../lib/format.ts'
import { Empty } from '../../ui/feedback.tsx'
import { Figure } from '../../ui/figure.tsx'
import { Card } from '../../ui/page.tsx'
import { Outside } from '../../ui/text.tsx'

const HEADLINE = [
  'aum_total_usd',
  'aum_discretionary_usd',
  'accounts_total',
  'employee_count',
  'advisory_employee_count',
]

/** Figures from the firm's Form ADV. */
export function FormAdv({ filing }: { filing: Filing | null }) {
  if (filing === null)
    return (
      <Card>
        <Empty title="No adviser lists this domain">
          No firm on the latest Form ADV roster lists this domain as its website.
        </Empty>
      </Card>
    )
  const { items: _, as_of, firm_count, crd_numbers, ...fields } = filing as Filing & Record<string, unknown>
  const known = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  const headline = HEADLINE.flatMap((name) => known.filter(([field]) => field === name))
  return (
    <>
      {firm_count > 1 && (
        <p class="muted">
          {formatNumber(firm_count)} firms share this website (CRD {crd_numbers.slice(0, 10).join(', ')}), so their
          figures are not attributed to it.
        </p>
      )}
      {headline.length > 0 && (
        <dl class="card figures">
          {headline.map(([name, value]) => (
            <Figure key={name} name={formatField(name.replace(/_usd$/, ''))}>
              {name.endsWith('_usd') ? formatMoney(Number(value)) : formatValue(name, value)}
            </Figure>
          ))}
        </dl>
      )}
      {known.length > 0 && (
        <Card
          title="As filed"
          aside={as_of && <span class="muted">since the roster of {formatDay(String(as_of))}</span>}
        >
          <dl class="facts">
            {known.map(([name, value]) => [
              <dt key={`${name}-name`}>{formatField(name)}</dt>,
              <dd key={name}>
                <Outside>{formatValue(name, value)}</Outside>
              </dd>,
            ])}
          </dl>
        </Card>
      )}
    </>
  )
}

function formatValue(name: string, value: unknown): string {
  if (typeof value === 'number')
    return /number|year/.test(name) ? String(value) : `${/_usd$/.test(name) ? '$' : ''}${formatNumber(value)}`
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.join(', ')
  return String(value)
}
