/** Name of the source for imported Form ADV rosters and schedules of owners and officers. */
export const FORM_ADV = 'form-adv'

/** Order of precedence among sources whose values have the same support. */
export const SOURCE_ORDER: readonly string[] = [FORM_ADV, 'website', 'wikidata']

/**
 * Returns the source name for people found by a provider; null if the provider does not find people. Owners and
 * officers come from Form ADV through a separate provider, because the roster lists no people.
 */
export function sourceOfPeople(provider: string): string | null {
  if (provider === 'schedule-ab') return FORM_ADV
  return provider === FORM_ADV ? null : provider
}
