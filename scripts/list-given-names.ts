/**
 * Adds to `given-names.txt` the given names that @faker-js/faker (MIT) lists for some seventy countries: `npm run generate -- given-names`, when
 * that library is new. Left out are those that are ordinary words of websites, where they would do more harm than good.
 */
import { writeFileSync } from 'node:fs'
import { allLocales } from '@faker-js/faker'
import { GIVEN_NAMES } from '../src/enrichment/people/names/given-names.ts'
import { NOT_IN_NAMES, SOFT_WORDS } from '../src/enrichment/people/names/ordinary-words.ts'
import { classifySeniority, hasSureRole } from '../src/enrichment/people/titles/classify-seniority.ts'

/** Jokes, and a language in which nobody is christened. */
const NO_COUNTRIES = new Set(['en_BORK', 'en_AU_ocker', 'eo'])
const LETTERS: Record<string, string> = { ß: 'ss', ł: 'l', ø: 'o', đ: 'd', ð: 'd', ı: 'i', æ: 'ae', œ: 'oe', þ: 'th' }

const plain = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßłøđðıæœþ]/g, (letter) => LETTERS[letter] as string)

const isOrdinary = (name: string): boolean =>
  NOT_IN_NAMES.has(name) || SOFT_WORDS.has(name) || hasSureRole(name) || classifySeniority(name) !== null

const listed = Object.entries(allLocales)
  .filter(([locale]) => !NO_COUNTRIES.has(locale))
  .flatMap(([, { person }]) => Object.values(person?.first_name ?? {}).flat())
  .map((name) => plain(String(name)))
  .filter((name) => /^[a-z]{3,}$/.test(name) && !isOrdinary(name))

const all = [...new Set([...GIVEN_NAMES, ...listed])].toSorted()
const byInitial = [...Map.groupBy(all, (name) => name.slice(0, 1)).values()]
writeFileSync(
  new URL('../src/enrichment/people/names/given-names.txt', import.meta.url),
  byInitial.map((names) => `${names.join('\n')}\n`).join('\n'),
)
console.log(`${all.length} names, ${all.length - GIVEN_NAMES.size} of them new`)
