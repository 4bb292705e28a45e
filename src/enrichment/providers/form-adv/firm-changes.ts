import type { SignalType } from '../../../contract/companies.ts'
import { OFFICERS_FIELD } from '../../../db/firm-tables.ts'
import type { SignalObservation } from '../../../findings/provider.ts'
import { FORM_ADV } from '../../../findings/sources.ts'
import type { FirmChange, FirmChangeOptions } from './firm-change.ts'
import { signalsOfOfficerChange } from './officer-changes.ts'

interface Reading {
  type: SignalType
  /** Text after the adviser's name in the headline. */
  text: string
  confidence: number
}

/**
 * Minimum increase in the number of employees, both absolute (`people`) and relative (`share`). Smaller changes are
 * noise. For example, part-time staff may be counted in only one of the filings.
 */
const GROWTH = { people: 5, share: 0.2 }

/**
 * Returns signals from changes between rosters and between filings, newest first. Roster changes for the same firm,
 * date and type are combined into one signal: twenty new notice states are reported as one expansion.
 */
export function signalsOfFirmChanges(
  changes: readonly FirmChange[],
  { name, observedAt }: FirmChangeOptions,
): SignalObservation[] {
  const byStory = new Map<string, { change: FirmChange; readings: Reading[] }>()
  const officers: SignalObservation[] = []
  for (const change of changes) {
    if (change.field === OFFICERS_FIELD) officers.push(...signalsOfOfficerChange(change, { name, observedAt }))
    const reading = read(change)
    if (!reading) continue
    const key = `${change.crd_number} ${change.as_of} ${reading.type}`
    const story = byStory.get(key)
    if (story) story.readings.push(reading)
    else byStory.set(key, { change, readings: [reading] })
  }
  const differences = [...byStory.values()].map(({ change, readings }): SignalObservation => {
    const ordered = readings.toSorted((a, b) => b.confidence - a.confidence)
    const [surest] = ordered as [Reading]
    return {
      type: surest.type,
      headline: `${name}: ${ordered.map(({ text }) => text).join('; ')} (Form ADV)`,
      date: change.as_of,
      about: `from its own Form ADV, CRD ${change.crd_number}`,
      source: FORM_ADV,
      url: `https://adviserinfo.sec.gov/firm/summary/${change.crd_number}`,
      observed_at: observedAt,
      method: 'roster-difference',
      confidence: surest.confidence,
    }
  })
  return [...differences, ...officers].toSorted((a, b) => (b.date ?? '').localeCompare(a.date ?? ''))
}

function read({ field, old_value: old, new_value: now }: FirmChange): Reading | null {
  switch (field) {
    case 'employee_count':
      return grew(old, now, GROWTH) ? expansion(`employees from ${old} to ${now}`, 0.8) : null
    case 'other_office_count':
      return grew(old, now, { people: 1, share: 0 })
        ? expansion(`additional offices from ${old} to ${now}`, 0.95)
        : null
    case 'private_fund_count':
      return grew(old, now, { people: 1, share: 0 }) ? expansion(`private funds from ${old} to ${now}`, 0.75) : null
    case 'notice_states':
      return newStates(old, now)
    case 'sec_status':
      return isText(now) ? regulatory(`SEC status ${isText(old) ? `from ${old} to ${now}` : now}`, 0.97) : null
    case 'firm_type':
      return isText(old) && isText(now) ? regulatory(`from ${old} to ${now} adviser`, 0.97) : null
    case 'disciplinary_history':
      return now === true && old === false ? regulatory('now discloses disciplinary history (Item 11)', 0.97) : null
    case 'gone':
      return now === true ? regulatory("no longer on the SEC's roster", 0.85) : null
    default:
      return readItem(field, old, now)
  }
}

/** Interprets roster columns that are named after Form ADV items and contain Y or N. */
function readItem(field: string, old: unknown, now: unknown): Reading | null {
  if (old !== 'N' || now !== 'Y') return null
  if (/^4A?$/u.test(field))
    return { type: 'Acquisition', text: 'is succeeding to the business of another adviser (Item 4)', confidence: 0.95 }
  if (/^11[A-H]/u.test(field)) return regulatory(`now answers yes to Item ${field}`, 0.9)
  return null
}

const expansion = (text: string, confidence: number): Reading => ({ type: 'Expansion', text, confidence })
const regulatory = (text: string, confidence: number): Reading => ({ type: 'Regulatory', text, confidence })
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/**
 * Returns whether a count grew by at least the minimum. An increase from 0 employees is ignored, because the old value
 * was missing or the firm is new.
 */
function grew(old: unknown, now: unknown, { people, share }: { people: number; share: number }): boolean {
  if (typeof old !== 'number' || typeof now !== 'number') return false
  return now - old >= people && now - old >= old * share && (people === 1 || old > 0)
}

function newStates(old: unknown, now: unknown): Reading | null {
  if (!Array.isArray(old) || !Array.isArray(now)) return null
  const added = now.filter((state) => isText(state) && !old.includes(state))
  if (added.length === 0) return null
  return expansion(
    `notice filings in ${added.length} more ${added.length === 1 ? 'state' : 'states'}: ${added.join(', ')}`,
    added.length > 1 ? 0.85 : 0.75,
  )
}
