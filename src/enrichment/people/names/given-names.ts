import { readFileSync } from 'node:fs'

/**
 * Given names of some seventy countries, in lower case and without accents: their presence makes a text surer to be a person, their absence
 * proves nothing. `npm run generate -- given-names` adds to the list what the library of invented people knows.
 */
export const GIVEN_NAMES: ReadonlySet<string> = new Set(
  readFileSync(new URL('given-names.txt', import.meta.url), 'utf8')
    .split(/\s+/)
    .filter(Boolean),
)
