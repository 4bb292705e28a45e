import type { Matcher } from './matcher.ts'
import { ERASED } from './matcher.ts'
import type { ViewPlace } from './place.ts'

/** A row of a database table or a snapshot, keyed by column. JSON columns are parsed. */
export type Row = Readonly<Record<string, unknown>>

/** The decision about a row: keep it, delete it, or set columns to the given values. */
export type Verdict = 'keep' | 'delete' | Readonly<Record<string, unknown>>

/** Decides whether to keep, delete or redact a row. `company` is the domain of the row's company, or null. */
export function judgeRow(place: ViewPlace, row: Row, company: string | null, matcher: Matcher): Verdict {
  const { owner = {}, values = [], prose = [], removed = [], when = {}, removal } = place
  if (Object.entries(when).some(([column, value]) => row[column] !== value)) return 'keep'
  const isOwn = matcher.isOwn({
    person_id: owner.person_id && row[owner.person_id],
    email_hash: owner.email_hash && row[owner.email_hash],
  })
  if (isOwn) return 'delete'
  const domain = place.company === undefined ? null : company
  const changes: Record<string, unknown> = {}
  for (const column of values) {
    const after = redactValue(row[column], matcher, domain)
    if (after !== row[column]) changes[column] = after
  }
  for (const column of prose) {
    const after = redactProse(row[column], matcher, domain)
    if (after !== row[column]) changes[column] = after
  }
  if (Object.keys(changes).length === 0) return 'keep'
  if (removal === 'delete') return 'delete'
  for (const column of removed) changes[column] = null
  return changes
}

/**
 * Replaces strings that name the person, and removes the person's IDs from lists. Returns the same object if the value
 * does not name the person.
 */
function redactValue(value: unknown, matcher: Matcher, domain: string | null): unknown {
  if (typeof value === 'string') return matcher.isNamed(value, domain) ? ERASED : value
  if (Array.isArray(value)) {
    const others = value.filter((item) => typeof item !== 'string' || !matcher.subject.personIds.has(item))
    const after = others.map((item) => redactValue(item, matcher, domain))
    return after.length < value.length || after.some((item, place) => item !== value[place]) ? after : value
  }
  if (typeof value !== 'object' || value === null) return value
  const about = 'company_domain' in value && typeof value.company_domain === 'string' ? value.company_domain : domain
  const entries = Object.entries(value)
  const after = entries.map(([name, inner]) => [name, redactValue(inner, matcher, about)] as const)
  return after.some(([, inner], place) => inner !== entries[place]?.[1]) ? Object.fromEntries(after) : value
}

function redactProse(value: unknown, matcher: Matcher, domain: string | null): unknown {
  if (typeof value === 'string') return matcher.redact(value, domain)
  if (!Array.isArray(value)) return value
  const after = value.map((item) => redactProse(item, matcher, domain))
  return after.some((item, place) => item !== value[place]) ? after : value
}
