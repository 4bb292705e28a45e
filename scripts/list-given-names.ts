/**
 * `npm run generate -- given-names`: adds the given names in @faker-js/faker (MIT) to the list of given names. Run this
 * command after each update of @faker-js/faker. Names that are also ordinary words, brand words or job titles are
 * excluded.
 */
import { writeFileSync } from 'node:fs'
import { allLocales } from '@faker-js/faker'
import { GIVEN_NAMES } from '../src/enrichment/people/names/name-words.ts'
import { classifySeniority, hasSureRole } from '../src/enrichment/people/titles/classify-seniority.ts'
import { BRAND_WORDS, NOT_IN_NAMES } from '../src/enrichment/vocabulary/ordinary-words.ts'
import { foldAccents } from '../src/lib/fold-accents.ts'

/** Locales without a country: joke locales and Esperanto. */
const NO_COUNTRIES = new Set(['en_BORK', 'en_AU_ocker', 'eo'])
const LETTERS: Record<string, string> = { ß: 'ss', ł: 'l', ø: 'o', đ: 'd', ð: 'd', ı: 'i', æ: 'ae', œ: 'oe', þ: 'th' }

const plain = (name: string): string =>
  foldAccents(name.toLowerCase()).replace(/[ßłøđðıæœþ]/g, (letter) => LETTERS[letter] as string)

const isOrdinary = (name: string): boolean =>
  NOT_IN_NAMES.has(name) || BRAND_WORDS.has(name) || hasSureRole(name) || classifySeniority(name) !== null

const listed = Object.entries(allLocales)
  .filter(([locale]) => !NO_COUNTRIES.has(locale))
  .flatMap(([, { person }]) => Object.values(person?.first_name ?? {}).flat())
  .map((name) => plain(String(name)))
  .filter((name) => /^[a-z]{3,}$/.test(name) && !isOrdinary(name))

const all = [...new Set([...GIVEN_NAMES, ...listed])].toSorted()
writeFileSync(new URL('../src/enrichment/vocabulary/names/given.txt', import.meta.url), `${all.join('\n')}\n`)
console.log(`${all.length} names, ${all.length - GIVEN_NAMES.size} of them new`)
