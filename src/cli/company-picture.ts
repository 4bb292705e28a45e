import type { Company, Provenance } from '../contract/companies.ts'
import type { HistoryEvent } from '../contract/history.ts'
import { formatRows } from './output.ts'

const FACTS = [
  'name',
  'legal_name',
  'description',
  'industry',
  'employee_count',
  'employee_range',
  'headquarters_street',
  'headquarters_city',
  'headquarters_state',
  'headquarters_postal_code',
  'headquarters_country',
  'phone',
  'social_url',
  'founded_year',
] as const satisfies readonly (keyof Company)[]

const WIDEST = 48
const MOST = 10

/** A company as a person reads it: facts with their sources, people, news, and the latest changes. */
export function companyPicture(company: Company, events: readonly HistoryEvent[], now: Date): string {
  const { provenance = {}, leadership = [], signals = [], formadv } = company
  const parts = [heading(company, now), facts(company, provenance, now)]
  if (formadv) parts.push(filing(formadv))
  if (leadership.length > 0) parts.push(people(leadership))
  if (signals.length > 0) parts.push(news(signals))
  if (events.length > 0) parts.push(changes(events, now))
  return parts.filter((part) => part !== '').join('\n\n')
}

function filing({ firm_count, crd_numbers, ...firm }: NonNullable<Company['formadv']>): string {
  const assets = 'aum_total_usd' in firm ? Number(firm.aum_total_usd) : 0
  const who = firm_count === 1 ? `CRD ${crd_numbers[0]}` : `${firm_count} firms share this domain`
  return `Form ADV: ${who}${assets > 0 ? `, ${dollars(assets)} under management` : ''}`
}

function heading({ domain, name, enrichment_status, status_reason, enriched_at }: Company, now: Date): string {
  const age = enriched_at === null ? 'never enriched' : `enriched ${ageOf(enriched_at, now)}`
  return `${name ?? domain} (${domain})\n${enrichment_status}, ${age}${status_reason ? `\n${status_reason}` : ''}`
}

function facts(company: Company, provenance: Provenance, now: Date): string {
  const rows = FACTS.flatMap((field) => {
    const value = company[field]
    if (value === null) return []
    const said = provenance[field]
    const others = said?.alternatives
      .filter((other) => String(other.value).toLowerCase() !== String(value).toLowerCase())
      .map(({ source, value }) => `${source}: ${shorten(String(value), 24)}`)
    return [
      {
        field: field.replace('headquarters_', 'hq '),
        value: shorten(String(value)),
        sure: said ? `${Math.round(said.confidence * 100)} %` : '',
        from: said ? `${said.source} (${said.method})` : '',
        seen: said ? ageOf(said.observed_at, now) : '',
        otherwise: [...new Set(others)].join('; '),
      },
    ]
  })
  return rows.length === 0 ? 'No facts yet.' : formatRows(rows, 'table')
}

function people(leadership: NonNullable<Company['leadership']>): string {
  const rows = leadership.slice(0, MOST).map(({ full_name, title, email, email_status, email_confidence }) => ({
    person: full_name,
    title: shorten(title ?? ''),
    email:
      email === null
        ? ''
        : `${email} (${email_status}${email_confidence === null ? '' : `, ${Math.round(email_confidence * 100)} %`})`,
  }))
  return `${formatRows(rows, 'table')}${more(leadership.length)}`
}

function news(signals: NonNullable<Company['signals']>): string {
  const rows = signals.slice(0, MOST).map(({ date, type, headline, confidence }) => ({
    date: date ?? '',
    type,
    headline: shorten(headline, 70),
    sure: `${Math.round(confidence * 100)} %`,
  }))
  return `${formatRows(rows, 'table')}${more(signals.length)}`
}

function changes(events: readonly HistoryEvent[], now: Date): string {
  const rows = events.map(({ changed_at, field, old_value, new_value, source }) => ({
    changed: ageOf(changed_at, now),
    field,
    from: shorten(String(old_value ?? ''), 30),
    to: shorten(String(new_value ?? ''), 30),
    source,
  }))
  return formatRows(rows, 'table')
}

const more = (count: number): string => (count > MOST ? `\n... and ${count - MOST} more; --json shows all` : '')

const shorten = (text: string, length = WIDEST): string =>
  text.length > length ? `${text.slice(0, length - 3)}...` : text

const dollars = (amount: number): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', notation: 'compact' }).format(amount)

/** `today`, `yesterday`, `12 days ago`, `3 months ago`. */
function ageOf(moment: string, now: Date): string {
  const days = Math.floor((now.getTime() - Date.parse(moment)) / 86_400_000)
  if (days < 1) return 'today'
  if (days === 1) return 'yesterday'
  if (days < 60) return `${days} days ago`
  if (days < 730) return `${Math.round(days / 30.4)} months ago`
  return `${Math.round(days / 365.25)} years ago`
}
