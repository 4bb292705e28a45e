/** The provider that reads the imported Form ADV roster, and its schedules of owners and officers. */
export const FORM_ADV = 'form-adv'

/** Whom to believe when two values have the same support. */
export const SOURCE_ORDER: readonly string[] = [FORM_ADV, 'website', 'wikidata']
