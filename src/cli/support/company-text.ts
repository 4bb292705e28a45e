import type { Company, Evidence } from '../../contract/companies.ts'
import { COMPANY_FIELDS } from '../../contract/companies.ts'
import type { HistoryEvent } from '../../contract/history.ts'
import { ageOf } from './age-of.ts'
import { fitColumns, wrapText } from './fit-columns.ts'

/** Maximum number of rows per section. */
const LIMIT = 10
const OFFICE = 'office '

export interface TextOptions {
  now: Date
  /** Width of the terminal in columns. */
  width: number
}

/**
 * Formats a company as text: fields with confidence and source, leadership, signals, provider results and recent
 * changes.
 */
export function companyText(company: Company, events: readonly HistoryEvent[], options: TextOptions): string {
  const { leadership = [], signals = [], sources = [] } = company
  const parts = [heading(company, options), ...fieldSections(company, options)]
  if (leadership.length > 0) parts.push(leadershipSection(leadership, options))
  if (signals.length > 0) parts.push(signalSection(signals, options))
  if (sources.length > 0) parts.push(providerSection(sources, options))
  if (events.length > 0) parts.push(changeSection(events, options))
  return parts.join('\n\n')
}

function heading(company: Company, { now, width }: TextOptions): string {
  const { domain, name, enrichment_status, status_reason, retry_at, formadv } = company
  const enriched = [
    ['company', company.enriched_at],
    ['leadership', company.leadership_enriched_at],
    ['signals', company.signals_enriched_at],
  ].map(([group, at]) => `${group} ${at ? ageOf(at, now) : 'never'}`)
  const lines = [
    name === null ? domain : `${name} (${domain})`,
    `${enrichment_status}; enriched: ${enriched.join(', ')}`,
    status_reason ?? '',
    retry_at && Date.parse(retry_at) > now.getTime()
      ? `retry after ${retry_at.slice(0, 16).replace('T', ' ')} UTC`
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
  const firms = firm_count === 1 ? `CRD ${crd_numbers[0]}` : `${firm_count} firms share this domain`
  return `Form ADV: ${firms}${assets > 0 ? `, ${dollars(assets)} under management` : ''}`
}

/** A row in the field table. */
interface Field {
  name: string
  value: string
  source: string
  confidence: string
  /** Conflicting values from other sources. */
  others: string[]
}

/** The fields, their numbered sources, and the names of missing fields. */
function fieldSections(company: Company, { now, width }: TextOptions): string[] {
  const known = COMPANY_FIELDS.filter((field) => company[field] !== null)
  const lines = foldOffice(known.map((field) => fieldRow(company, field, now)))
  const sources = [...new Set(lines.map(({ source }) => source))]
  const rows = lines.flatMap(({ name, value, source, confidence, others }) => [
    [name, confidence, `[${sources.indexOf(source) + 1}]`, value],
    ...others.map((other) => ['', '', '', `(${other})`]),
  ])
  const hasOffice = known.some((field) => label(field).startsWith(OFFICE))
  const unset = COMPANY_FIELDS.filter((field) => company[field] === null)
    .map(label)
    .map((name) => (hasOffice || !name.startsWith(OFFICE) ? name : OFFICE.trim()))
  const missing = [...new Set(unset)]
  return [
    rows.length > 0 && `Fields\n${fitColumns(rows, width)}`,
    rows.length > 0 &&
      `Sources\n${fitColumns(
        sources.map((source, index) => [`[${index + 1}]`, source]),
        width,
      )}`,
    missing.length > 0 && wrapText(`Missing: ${missing.join(', ')}`, width),
  ].filter((part) => part !== false)
}

function fieldRow({ provenance = {}, ...company }: Company, field: (typeof COMPANY_FIELDS)[number], now: Date): Field {
  const evidence = provenance[field]
  const different = (evidence?.alternatives ?? []).filter(({ value }) => !isSame(value, company[field]))
  return {
    name: label(field),
    value: String(company[field]),
    source: sourceOf(evidence, now),
    confidence: evidence ? percent(evidence.confidence) : '',
    others: [...new Set(different.map(({ source, value }) => `${source}: ${value}`))],
  }
}

/** Joins the office fields into one row if they have the same source and confidence and no alternatives. */
function foldOffice(lines: Field[]): Field[] {
  const parts = lines.filter(({ name }) => name.startsWith(OFFICE))
  const [first, ...rest] = parts
  const isOne = rest.every((part) => part.source === first?.source && part.confidence === first.confidence)
  if (!first || !isOne || parts.some(({ others }) => others.length > 0)) return lines
  const value = parts.map((part) => part.value).join(', ')
  return lines.flatMap((line) =>
    line === first ? [{ ...first, name: 'office', value }] : parts.includes(line) ? [] : [line],
  )
}

function sourceOf(evidence: Evidence | undefined, now: Date): string {
  if (!evidence) return 'unknown source'
  return `${evidence.source} (${evidence.method}), ${ageOf(evidence.observed_at, now)}${evidence.url ? `: ${evidence.url}` : ''}`
}

function leadershipSection(leadership: NonNullable<Company['leadership']>, { width }: TextOptions): string {
  const rows = leadership.slice(0, LIMIT).map(({ full_name, title, email, email_status, email_confidence }) => {
    const confidence = email_confidence === null ? '' : `, ${percent(email_confidence)}`
    return [
      full_name,
      [title ?? '', email === null ? '' : `${email} (${email_status}${confidence})`].filter(Boolean).join('; '),
    ]
  })
  return section('Leadership', rows, leadership.length, width)
}

function signalSection(signals: NonNullable<Company['signals']>, { width }: TextOptions): string {
  const rows = signals
    .slice(0, LIMIT)
    .map(({ date, type, headline, confidence }) => [date ?? 'undated', type, percent(confidence), headline])
  return section('Signals', rows, signals.length, width)
}

function providerSection(sources: NonNullable<Company['sources']>, { now, width }: TextOptions): string {
  const rows = sources.map(({ source, status, asked_at, reason }) => [
    source,
    ageOf(asked_at, now),
    `${status.replace('_', ' ')}${reason ? `: ${reason}` : ''}`,
  ])
  return section('Providers', rows, rows.length, width)
}

/** Values first found by the same source on the same day share a line. Later changes have separate lines. */
function changeSection(events: readonly HistoryEvent[], { now, width }: TextOptions): string {
  const lines: { age: string; what: string; fields: string[] }[] = []
  for (const { changed_at, field, old_value, new_value, source } of events) {
    const age = ageOf(changed_at, now)
    const name = label(field)
    const what =
      old_value === null
        ? `first values from ${source}: `
        : `${name}: ${plain(old_value)} -> ${plain(new_value) || 'none'} (${source})`
    const line = lines.find((one) => old_value === null && one.age === age && one.what === what)
    if (line) line.fields.push(name)
    else lines.push({ age, what, fields: old_value === null ? [name] : [] })
  }
  const rows = lines.map(({ age, what, fields }) => [age, what + fields.join(', ')])
  return section('Changes', rows.slice(0, LIMIT), rows.length, width)
}

const section = (title: string, rows: string[][], count: number, width: number): string =>
  `${title}\n${fitColumns(rows, width)}${count > LIMIT ? `\n  ... and ${count - LIMIT} more (use --json to list all)` : ''}`

const isSame = (a: unknown, b: unknown): boolean => String(a).toLowerCase() === String(b).toLowerCase()
const label = (field: string): string => field.replace('headquarters_', OFFICE).replaceAll('_', ' ')
const percent = (share: number): string => `${Math.round(share * 100)}%`
const plain = (value: unknown): string => (value === null ? '' : String(value))
const dollars = (amount: number): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', notation: 'compact' }).format(amount)
