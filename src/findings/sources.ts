/** The provider that reads the imported Form ADV roster, and its schedules of owners and officers. */
export const FORM_ADV = 'form-adv'

/** Precedence when two values have the same support. */
export const SOURCE_ORDER: readonly string[] = [FORM_ADV, 'website', 'wikidata']

/**
 * The source name of a provider's people. The schedules of owners and officers are part of Form ADV but a separate
 * provider; the roster names no people.
 */
export function sourceOfPeople(provider: string): string | null {
  if (provider === 'schedule-ab') return FORM_ADV
  return provider === FORM_ADV ? null : provider
}
