/**
 * `npm run generate -- number-words`: writes the cardinals from 2 to 150 in every language of n2words (MIT) and of
 * `number-forms.ts`, without accents or hyphens. Deterministic.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { spelling } from '../src/enrichment/company/facts/numbers.ts'
import { FORMS } from './number-forms.ts'

const HIGHEST = 150
const folder = new URL('../node_modules/n2words/src/', import.meta.url)
/** Regional spellings are merged into one list per language. */
const locales = readdirSync(fileURLToPath(folder)).filter((file) =>
  /^[a-z]{2}-(?:[A-Z][a-z]{3}-)?[A-Z]{2}\.js$/.test(file),
)
/** Languages whose websites rarely spell out numbers. */
const SKIPPED = new Set(['ja', 'zh', 'ko', 'th'])

const languages: Record<string, Record<string, number>> = {}
for (const file of locales.toSorted()) {
  const language = file.slice(0, 2)
  if (SKIPPED.has(language)) continue
  const { toCardinal } = (await import(new URL(file, folder).href)) as { toCardinal: (value: number) => string }
  languages[language] ??= {}
  const words = languages[language]
  for (let value = 2; value <= HIGHEST; value++) {
    const word = spelling(toCardinal(value))
    words[word] ??= value
  }
}
for (const [language, formsOf] of Object.entries(FORMS)) {
  languages[language] ??= {}
  const words = languages[language]
  const known = new Map(Object.entries(words).map(([word, value]) => [value, word]))
  for (let value = 2; value <= HIGHEST; value++)
    for (const form of formsOf(value, known.get(value) ?? '')) if (form !== '') words[spelling(form)] ??= value
}
languages['no'] = languages['nb'] ?? {}
writeFileSync(
  new URL('../src/enrichment/company/facts/number-words.json', import.meta.url),
  `${JSON.stringify(languages)}\n`,
)
console.log(`${Object.keys(languages).length} languages`)
