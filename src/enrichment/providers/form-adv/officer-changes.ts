import type { SignalObservation } from '../../../findings/provider.ts'
import { FORM_ADV } from '../../../findings/sources.ts'
import type { FirmChange, FirmChangeOptions } from './firm-change.ts'

/** A person on Schedule A: an executive officer or a direct owner. */
export interface ScheduledOfficer {
  /** The name as filed: `LAST, FIRST, MIDDLE`. */
  full_legal_name: string
  title: string | null
}

const OFFICER =
  /\b(?:chief|ceo|cfo|coo|cco|cio|president|chair\w*|director|manag(?:er|ing)|officer|general partner|principal|partner|treasurer|secretary|counsel|head)\b/iu

/**
 * Returns signals about officers added or removed between two filings. `old_value` and `new_value` are lists of
 * ScheduledOfficer. Owners without an office are ignored.
 */
export function signalsOfOfficerChange(
  { crd_number, as_of, old_value, new_value }: FirmChange,
  { name, observedAt }: FirmChangeOptions,
): SignalObservation[] {
  const [before, after] = [readOfficers(old_value), readOfficers(new_value)]
  // If one filing has no officers, all officers in the other filing would count as added or removed.
  if (before.length === 0 || after.length === 0) return []
  const difference = (these: readonly ScheduledOfficer[], those: readonly ScheduledOfficer[]) =>
    these.filter(
      ({ full_legal_name, title }) =>
        OFFICER.test(title ?? '') && !those.some((one) => sameName(one.full_legal_name, full_legal_name)),
    )
  const story = ({ full_legal_name, title }: ScheduledOfficer, verb: string): SignalObservation => ({
    type: 'Leadership Change',
    headline: `${name}: ${full_legal_name} ${verb} as ${title} (Form ADV Schedule A)`,
    date: as_of,
    about: `from its own Form ADV, CRD ${crd_number}`,
    source: FORM_ADV,
    url: `https://adviserinfo.sec.gov/firm/summary/${crd_number}`,
    observed_at: observedAt,
    method: 'schedule-difference',
    confidence: 0.9,
  })
  return [
    ...difference(after, before).map((officer) => story(officer, 'is listed')),
    ...difference(before, after).map((officer) => story(officer, 'is no longer listed')),
  ]
}

const sameName = (a: string, b: string): boolean => plainName(a) === plainName(b)
/** The name without middle names, because firms do not report middle names consistently. */
const plainName = (name: string): string =>
  name
    .toUpperCase()
    .split(',')
    .slice(0, 2)
    .map((part) => part.trim())
    .join(',')

function readOfficers(value: unknown): ScheduledOfficer[] {
  if (!Array.isArray(value)) return []
  return value.filter((one): one is ScheduledOfficer => typeof one?.full_legal_name === 'string')
}
