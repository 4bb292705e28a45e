import type { Company, Evidence } from '../../contract/companies.ts'
import { COMPANY_FIELDS } from '../../contract/companies.ts'
import type { HistoryEvent } from '../../contract/history.ts'
import { ageOf } from './age-of.ts'
import { fitColumns, wrapText } from './fit-columns.ts'

const MOST = 10
const OFFICE = 'office '

export interface PictureOptions {
  now: Date
  /** Columns of the terminal. */
  width: number
}

/** A company as a person reads it: facts, each with its place and how sure it is, people, news, the sources' last answers, and the latest changes. */
export function companyPicture(company: Company, events: readonly HistoryEvent[], options: PictureOptions): string {
  const { leadership = [], signals = [], sources = [] } = company
  const parts = [heading(company, options), ...facts(company, options)]
  if (leadership.length > 0) parts.push(people(leadership, options))
  if (signals.length > 0) parts.push(news(signals, options))
  if (sources.length > 0) parts.push(answers(sources, options))
  if (events.length > 0) parts.push(changes(events, options))
  return parts.join('\n\n')
}

function heading(company: Company, { now, width }: PictureOptions): string {
  const { domain, name, enrichment_status, status_reason, retry_at, formadv } = company
  const looked = [
    ['company', company.enriched_at],
    ['people', company.leadership_enriched_at],
    ['news', company.signals_enriched_at],
  ].map(([what, at]) => `${what} ${at ? ageOf(at, now) : 'never'}`)
  const lines = [
    name === null ? domain : `${name} (${domain})`,
    `${enrichment_status}; looked for: ${looked.join(', ')}`,
    status_reason ?? '',
    retry_at && Date.parse(retry_at) > now.getTime()
      ? `worth another try after ${retry_at.slice(0, 16).replace('T', ' ')} UTC`
      : '',
    formadv ? filing(formadv) : '',
  ]
  return lines
    .filter(Boolean)
    .map((line) => wrapText(line, width))
    .join('\n')
}

function filing({ firm_count, crd_numbers, ...firm }: NonNullable<Company['formadv']>): string {
  const assets = 'aum_total_usd' in firm ? Number(firm.aum_total_usd) : 0
  const who = firm_count === 1 ? `CRD ${crd_numbers[0]}` : `${firm_count} firms share this domain`
  return `Form ADV: ${who}${assets > 0 ? `, ${dollars(assets)} under management` : ''}`
}

/** A line of the table of facts, under the number of the place where it was read. */
interface Fact {
  name: string
  value: string
  place: string
  confidence: string
  /** What other sources say instead. */
  others: string[]
}

/** What is known, how surely and from which place; the places; and what is not known. */
function facts(company: Company, { now, width }: PictureOptions): string[] {
  const known = COMPANY_FIELDS.filter((field) => company[field] !== null)
  const lines = foldOffice(known.map((field) => factOf(company, field, now)))
  const places = [...new Set(lines.map(({ place }) => place))]
  const rows = lines.flatMap(({ name, value, place, confidence, others }) => [
    [name, confidence, `[${places.indexOf(place) + 1}]`, value],
    ...others.map((other) => ['', '', '', `(${other})`]),
  ])
  const hasOffice = known.some((field) => inWords(field).startsWith(OFFICE))
  const unknown = COMPANY_FIELDS.filter((field) => company[field] === null)
    .map(inWords)
    .map((name) => (hasOffice || !name.startsWith(OFFICE) ? name : OFFICE.trim()))
  const missing = [...new Set(unknown)]
  return [
    rows.length > 0 && `Known\n${fitColumns(rows, width)}`,
    rows.length > 0 &&
      `Read at\n${fitColumns(
        places.map((place, index) => [`[${index + 1}]`, place]),
        width,
      )}`,
    missing.length > 0 && wrapText(`Not known: ${missing.join(', ')}`, width),
  ].filter((part) => part !== false)
}

function factOf({ provenance = {}, ...company }: Company, field: (typeof COMPANY_FIELDS)[number], now: Date): Fact {
  const said = provenance[field]
  const unlike = (said?.alternatives ?? []).filter(({ value }) => !isSame(value, company[field]))
  return {
    name: inWords(field),
    value: String(company[field]),
    place: placeOf(said, now),
    confidence: said ? percent(said.confidence) : '',
    others: [...new Set(unlike.map(({ source, value }) => `${source} says ${value}`))],
  }
}

/** An office of which all is read at one place, and as surely, is one line, as on an envelope. */
function foldOffice(lines: Fact[]): Fact[] {
  const parts = lines.filter(({ name }) => name.startsWith(OFFICE))
  const [first, ...rest] = parts
  const isOne = rest.every((part) => part.place === first?.place && part.confidence === first.confidence)
  if (!first || !isOne || parts.some(({ others }) => others.length > 0)) return lines
  const value = parts.map((part) => part.value).join(', ')
  return lines.flatMap((line) =>
    line === first ? [{ ...first, name: 'office', value }] : parts.includes(line) ? [] : [line],
  )
}

function placeOf(said: Evidence | undefined, now: Date): string {
  if (!said) return 'a source that is no longer named'
  return `${said.source} (${said.method}), ${ageOf(said.observed_at, now)}${said.url ? `: ${said.url}` : ''}`
}

function people(leadership: NonNullable<Company['leadership']>, { width }: PictureOptions): string {
  const rows = leadership.slice(0, MOST).map(({ full_name, title, email, email_status, email_confidence }) => {
    const sure = email_confidence === null ? '' : `, ${percent(email_confidence)}`
    return [
      full_name,
      [title ?? '', email === null ? '' : `${email} (${email_status}${sure})`].filter(Boolean).join('; '),
    ]
  })
  return section('People', rows, leadership.length, width)
}

function news(signals: NonNullable<Company['signals']>, { width }: PictureOptions): string {
  const rows = signals
    .slice(0, MOST)
    .map(({ date, type, headline, confidence }) => [date ?? 'undated', type, percent(confidence), headline])
  return section('News', rows, signals.length, width)
}

function answers(sources: NonNullable<Company['sources']>, { now, width }: PictureOptions): string {
  const rows = sources.map(({ source, status, asked_at, reason }) => [
    source,
    ageOf(asked_at, now),
    `${status.replace('_', ' ')}${reason ? `: ${reason}` : ''}`,
  ])
  return section('Sources asked', rows, rows.length, width)
}

/** What was first learnt on one day is one line; what changed is told one by one. */
function changes(events: readonly HistoryEvent[], { now, width }: PictureOptions): string {
  const lines: { age: string; what: string; fields: string[] }[] = []
  for (const { changed_at, field, old_value, new_value, source } of events) {
    const age = ageOf(changed_at, now)
    const name = inWords(field)
    const what =
      old_value === null
        ? `first learnt from ${source}: `
        : `${name}: ${plain(old_value)} -> ${plain(new_value) || 'no longer said'} (${source})`
    const line = lines.find((one) => old_value === null && one.age === age && one.what === what)
    if (line) line.fields.push(name)
    else lines.push({ age, what, fields: old_value === null ? [name] : [] })
  }
  const rows = lines.map(({ age, what, fields }) => [age, what + fields.join(', ')])
  return section('Changes', rows.slice(0, MOST), rows.length, width)
}

const section = (title: string, rows: string[][], count: number, width: number): string =>
  `${title}\n${fitColumns(rows, width)}${count > MOST ? `\n  ... and ${count - MOST} more; --json shows all` : ''}`

const isSame = (a: unknown, b: unknown): boolean => String(a).toLowerCase() === String(b).toLowerCase()
const inWords = (field: string): string => field.replace('headquarters_', OFFICE).replaceAll('_', ' ')
/** With a blank that no line breaks at. */
const percent = (share: number): string => `${Math.round(share * 100)}\u00a0%`
const plain = (value: unknown): string => (value === null ? '' : String(value))
const dollars = (amount: number): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', notation: 'compact' }).format(amount)
