/**
 * `npm run generate -- text-kinds`: trains the model that tells names, titles and other texts apart, and writes its weights. Names and places
 * come from @faker-js/faker (MIT), titles and phrases from `test/fixtures/training` and the development half of the gold titles.
 * The temperature is fitted to languages left out of a first training; then all languages are trained on. Deterministic.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { allLocales } from '@faker-js/faker'
import { parse } from 'csv-parse/sync'
import { mulberry32 } from '../src/demo/seeded-random.ts'
import type { TextKind, TextKindWeights } from '../src/enrichment/people/text-kinds/classify-text.ts'
import { createTextModel, TEXT_KINDS } from '../src/enrichment/people/text-kinds/classify-text.ts'
import { BUCKETS, featuresOf } from '../src/enrichment/people/text-kinds/features.ts'
import { readWords } from '../src/enrichment/vocabulary/read-words.ts'
import type { Example } from '../test/eval/logistic-regression.ts'
import { trainLogisticRegression } from '../test/eval/logistic-regression.ts'

interface Labelled {
  text: string
  kind: TextKind
  /** Two letters; empty when the text belongs to no language in particular. */
  language: string
}

/** Left out to measure how the model carries over. */
const UNSEEN = new Set(['fi', 'hu', 'tr', 'ro', 'el', 'lv', 'sl'])
/** Joke locales, and Esperanto. */
const SKIPPED = new Set(['en_BORK', 'en_AU_ocker', 'eo', 'base'])
const FAMILY_FIRST = new Set(['hu', 'ja', 'ko', 'zh', 'vi'])
const UNSPACED = new Set(['zh', 'ko'])
const NAMES_PER_LOCALE = 420
const OTHERS_PER_LOCALE = 160

const random = mulberry32(20_261_122)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
/** Every string anywhere in a locale's data. */
const strings = (data: unknown): string[] =>
  typeof data === 'string' ? [data] : data && typeof data === 'object' ? Object.values(data).flatMap(strings) : []
const usable = (text: string): boolean => text.length > 1 && text.length < 40 && !/[{}#]/u.test(text)

function namesOf(locale: string): string[] {
  const { person } = allLocales[locale as keyof typeof allLocales]
  const [first, last] = [strings(person?.first_name).filter(usable), strings(person?.last_name).filter(usable)]
  const language = locale.slice(0, 2)
  if (first.length === 0 || last.length === 0) return []
  return Array.from({ length: NAMES_PER_LOCALE }, () => {
    const chance = random()
    let given = pick(first)
    let family = pick(last)
    if (FAMILY_FIRST.has(language)) {
      const between = UNSPACED.has(language) && chance < 0.7 ? '' : ' '
      return `${family}${between}${given}`
    }
    if (chance < 0.07) given = `${given}-${pick(first)}`
    else if (chance < 0.16) family = `${family}-${pick(last)}`
    else if (chance < 0.21) family = `${family} ${pick(last)}`
    if (chance > 0.92) given = `${given} ${pick(first).charAt(0)}.`
    else if (chance > 0.86) given = `${given} ${pick(first)}`
    const name = `${given} ${family}`
    return random() < 0.05 ? name.toLocaleUpperCase() : name
  })
}

function othersOf(locale: string): string[] {
  const { location, word, commerce, company, animal, food, music, vehicle, science } = allLocales[
    locale as keyof typeof allLocales
  ] as Record<string, unknown> & { word?: Record<string, unknown> }
  const nouns = strings(word?.['noun']).filter(usable)
  const adjectives = strings(word?.['adjective']).filter(usable)
  const things = [commerce, company, animal, food, music, vehicle, science].flatMap(strings).filter(usable)
  const places = strings(location).filter(usable)
  const texts: string[] = []
  for (let count = 0; count < OTHERS_PER_LOCALE && things.length > 0; count++)
    texts.push(random() < 0.4 ? `${capital(pick(things))} ${capital(pick(things))}` : capital(pick(things)))
  for (let count = 0; count < OTHERS_PER_LOCALE / 2 && places.length > 0; count++) texts.push(capital(pick(places)))
  for (let count = 0; count < OTHERS_PER_LOCALE && nouns.length > 0 && adjectives.length > 0; count++)
    texts.push(
      random() < 0.5
        ? `${capital(pick(adjectives))} ${capital(pick(nouns))}`
        : `${capital(pick(nouns))} ${pick(nouns)}`,
    )
  return texts
}

function titlesOf(locale: string): string[] {
  const { person } = allLocales[locale as keyof typeof allLocales]
  const [area, type, level] = [person?.job_area, person?.job_type, person?.job_descriptor].map((list) =>
    strings(list).filter(usable),
  ) as [string[], string[], string[]]
  if (type.length === 0) return []
  return Array.from({ length: 120 }, () => {
    const parts = [random() < 0.4 && level.length > 0 ? pick(level) : '', area.length > 0 ? pick(area) : '', pick(type)]
    return (/^(es|fr|it|pt|ro)/u.test(locale) ? parts.toReversed() : parts).filter(Boolean).join(' ')
  })
}

const fixture = (file: string): string[][] =>
  readFileSync(new URL(`../test/fixtures/training/${file}.tsv`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))

const gold = parse<{ title: string }>(readFileSync(new URL('../test/fixtures/gold/titles/dev.csv', import.meta.url)), {
  columns: true,
})
const locales = Object.keys(allLocales).filter((locale) => !SKIPPED.has(locale))
const vocabulary = readWords('words/not-in-names').filter((word) => /^\p{L}{3,}$/u.test(word))
const titles = fixture('titles') as [string, string][]
const all: Labelled[] = [
  ...locales.flatMap((locale) => {
    const language = locale.slice(0, 2)
    const label =
      (kind: TextKind) =>
      (text: string): Labelled => ({ text: text.normalize('NFC'), kind, language })
    return [
      ...namesOf(locale).map(label('name')),
      ...othersOf(locale).map(label('other')),
      ...titlesOf(locale).map(label('title')),
    ]
  }),
  // Written titles count several times: they are few, and faker's are made of few words.
  ...titles.flatMap(([language, text]) =>
    [text, text, text.toLocaleLowerCase(), `${text} / ${pick(titles.filter(([other]) => other === language))[1]}`].map(
      (one): Labelled => ({ text: one, kind: 'title', language }),
    ),
  ),
  ...gold.flatMap(({ title }) => [title, title].map((text): Labelled => ({ text, kind: 'title', language: 'en' }))),
  ...fixture('phrases').flatMap(([language = '', text = '']) =>
    [text, text, text].map((one): Labelled => ({ text: one, kind: 'other', language })),
  ),
  ...Array.from(
    { length: 2400 },
    (): Labelled => ({
      text: Array.from({ length: random() < 0.7 ? 2 : 3 }, () => capital(pick(vocabulary))).join(' '),
      kind: 'other',
      language: 'en',
    }),
  ),
]

function train(examples: readonly Labelled[]): TextKindWeights {
  const counts = Map.groupBy(examples, ({ kind }) => kind)
  const rows = examples.map(({ text, kind }): Example => {
    const indices = Int32Array.from(featuresOf(text))
    const length = Math.sqrt(indices.length + 1)
    return {
      indices,
      values: new Float64Array(indices.length).fill(1 / length),
      label: TEXT_KINDS.indexOf(kind),
      weight: Math.sqrt(examples.length / (counts.get(kind)?.length ?? 1)),
    }
  })
  const weights = trainLogisticRegression(rows, {
    features: BUCKETS,
    classes: TEXT_KINDS.length,
    l2: 0.3,
    iterations: 90,
  })
  const highest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0)
  const step = highest / 127
  const bytes = Int8Array.from(weights, (weight) => Math.round(weight / step))
  return { step, temperature: 1, weights: Buffer.from(bytes.buffer).toString('base64') }
}

function measure(weights: TextKindWeights, examples: readonly Labelled[]): string {
  const model = createTextModel(weights)
  const parts = TEXT_KINDS.map((kind) => {
    const own = examples.filter((one) => one.kind === kind)
    const right = own.filter(({ text }) => model(text)[kind] > 0.5).length
    return `${kind} ${(right / own.length).toFixed(3)} of ${own.length}`
  })
  return parts.join(', ')
}

const lossOf = (weights: TextKindWeights, examples: readonly Labelled[]): number => {
  const model = createTextModel(weights)
  return examples.reduce((sum, { text, kind }) => sum - Math.log(model(text)[kind] + 1e-9), 0) / examples.length
}

const unseen = all.filter(({ language }) => UNSEEN.has(language))
const first = train(all.filter(({ language }) => !UNSEEN.has(language)))
const temperatures = Array.from({ length: 36 }, (_, place) => Number((0.5 + place * 0.1).toFixed(1)))
const temperature = temperatures.reduce((best, one) =>
  lossOf({ ...first, temperature: one }, unseen) < lossOf({ ...first, temperature: best }, unseen) ? one : best,
)
console.log(`${all.length} texts; languages that were not trained on: ${measure({ ...first, temperature }, unseen)}`)
const weights = { ...train(all), temperature }
console.log(`temperature ${temperature}; fit to its own data: ${measure(weights, all)}`)
writeFileSync(
  new URL('../src/enrichment/people/text-kinds/weights.json', import.meta.url),
  `${JSON.stringify(weights, null, 2)}\n`,
)
