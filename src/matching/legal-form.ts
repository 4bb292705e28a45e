const FORMS: readonly (readonly [form: string, pattern: RegExp])[] = [
  ['llc', /\b(l\.?\s?l\.?\s?c|limited liability company)\b\.?/i],
  ['llp', /\bl\.?\s?l\.?\s?p\b\.?/i],
  ['lp', /\b(l\.?\s?p|limited partnership)\b\.?/i],
  ['corporation', /\b(inc|incorporated|corp|corporation)\b\.?/i],
  ['plc', /\bp\.?l\.?c\b\.?/i],
  ['limited', /\b(ltd|limited|pte|pty)\b\.?/i],
  ['gmbh', /\bgmbh\b/i],
  ['ag', /\bag\b/i],
  ['sa', /\b(s\.?a\.?|s\.?a\.?s|s\.?a\.?r\.?l|s\.?p\.?a|n\.?v|b\.?v)\b\.?/i],
]

/** Returns the legal form in a company name; undefined if the name contains no legal form. */
export const legalForm = (name: string): string | undefined => FORMS.find(([, pattern]) => pattern.test(name))?.[0]
