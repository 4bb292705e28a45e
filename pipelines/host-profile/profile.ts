import type { RecordKind } from './field-names.ts'
import type { WordKind } from './words.ts'

/** Lists that each host pages in its own way. */
export type PagedList = 'members' | 'persons' | 'history'

/** Whether `total` counts all records, or those of the page. */
export type TotalKind = 'all' | 'page'

export type EventOrder = 'newest_first' | 'oldest_first'

/** Field sets of `POST /firms`: all that talhouse has; those with a column; those that the interface guarantees. */
export type FirmFieldSet = 'all' | 'typed' | 'promised'

/** What is known about a host. An empty profile is valid: each part is detected when it is first needed. */
export interface HostProfile {
  /** By record kind and field: the host's name of the field. */
  fields: Partial<Record<RecordKind, Record<string, string>>>
  /** By kind and the host's word: the interface's word. */
  words: Partial<Record<WordKind, Record<string, string>>>
  totals: Partial<Record<PagedList, TotalKind>>
  /** The accepted `limit` of each list; 0: none. */
  limits: Partial<Record<PagedList, number>>
  event_order: EventOrder | ''
  firm_fields: FirmFieldSet | ''
}

/** The setting `pipelines.host`: parts of the profile that a person has determined. An empty part is detected. */
export type HostOverrides = { readonly [Part in keyof HostProfile]: Readonly<HostProfile[Part]> }

export const EMPTY_PROFILE: HostOverrides = {
  fields: {},
  words: {},
  totals: {},
  limits: {},
  event_order: '',
  firm_fields: '',
}

export function withOverrides(detected: HostProfile, overrides: HostOverrides): HostProfile {
  return {
    fields: mergeEach(detected.fields, overrides.fields),
    words: mergeEach(detected.words, overrides.words),
    totals: { ...detected.totals, ...overrides.totals },
    limits: { ...detected.limits, ...overrides.limits },
    event_order: overrides.event_order || detected.event_order,
    firm_fields: overrides.firm_fields || detected.firm_fields,
  }
}

type ByKind<Kind extends string> = Partial<Record<Kind, Record<string, string>>>

function mergeEach<Kind extends string>(detected: ByKind<Kind>, overrides: Readonly<ByKind<Kind>>): ByKind<Kind> {
  const merged = { ...detected }
  for (const [kind, names] of Object.entries(overrides) as [Kind, Record<string, string>][])
    merged[kind] = { ...merged[kind], ...names }
  return merged
}
