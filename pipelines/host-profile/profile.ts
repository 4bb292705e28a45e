import type { RecordKind } from './field-names.ts'
import type { WordKind } from './words.ts'

/** Lists whose pagination differs between hosts. */
export type PagedList = 'members' | 'persons' | 'history'

/** Whether `total` counts all records or only the records on the page. */
export type TotalKind = 'all' | 'page'

export type EventOrder = 'newest_first' | 'oldest_first'

/**
 * Field sets for `POST /firms`. `all`: all of talhouse's fields. `typed`: the fields with a column. `promised`: the
 * fields that the interface guarantees.
 */
export type FirmFieldSet = 'all' | 'typed' | 'promised'

/** Detected properties of a host. A profile may be empty, because each part is detected when it is first needed. */
export interface HostProfile {
  /** The host's name for a field, by record kind and field. */
  fields: Partial<Record<RecordKind, Record<string, string>>>
  /** The interface's equivalents of the host's terms, by kind. */
  words: Partial<Record<WordKind, Record<string, string>>>
  totals: Partial<Record<PagedList, TotalKind>>
  /** The accepted `limit` of each list; 0 if the list does not accept the parameter. */
  limits: Partial<Record<PagedList, number>>
  event_order: EventOrder | ''
  firm_fields: FirmFieldSet | ''
}

/** The `pipelines.host` setting: configured parts of the profile. Parts that are not configured are detected. */
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
