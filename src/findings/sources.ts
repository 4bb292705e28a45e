/** The provider that reads the imported Form ADV roster, and its schedules of owners and officers. */
export const FORM_ADV = 'form-adv'

/** Whom to believe when two values have the same support. */
export const SOURCE_ORDER: readonly string[] = [FORM_ADV, 'website', 'wikidata']

/**
 * As what source the people of a provider are seen. The schedules of owners and officers are part of Form ADV, yet a provider of their
 * own; the roster names nobody.
 */
export function sourceOfPeople(provider: string): string | null {
  if (provider === 'schedule-ab') return FORM_ADV
  return provider === FORM_ADV ? null : provider
}
