/**
 * `npm run generate -- naics INDEX_FILE`: trains the model that maps descriptions of businesses to NAICS codes, and
 * writes its weights. INDEX_FILE is the 2022 NAICS Index File of the U.S. Census Bureau, saved as CSV with the code in
 * the first column and the description in the second. The other training texts are the titles of the codes and the
 * kinds of businesses in `src/enrichment/company/naics/kinds.tsv`. Deterministic.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { mulberry32, randomOf } from '../src/demo/seeded-random.ts'
import { INDUSTRIES } from '../src/enrichment/company/naics/classify.ts'
import { industryFeatures } from '../src/enrichment/company/naics/features.ts'
import type { IndustryWeights } from '../src/enrichment/company/naics/model.ts'
import { createIndustryModel, hashOf, IDF_STEP } from '../src/enrichment/company/naics/model.ts'
import { acceptedOf, LEARN, readSites } from '../test/eval/gold-sites.ts'

interface Example {
  text: string
  place: number
  weight: number
}

const SEED = 20_261_125
const EPOCHS = 8
const RATE = 2.5
const RATE_DECAY = 0.3
const L2 = 2e-4
const TITLE_WEIGHT = 2
const KIND_WEIGHT = 3
/** Smaller weights are dropped. */
const MIN_WEIGHT = 1.7
const FOLDER = new URL('../src/enrichment/company/naics/', import.meta.url)

const places = new Map(INDUSTRIES.map(([code], place) => [code, place]))
const size = INDUSTRIES.length

/** Removes references to other industries from an index entry. */
const clean = (text: string): string =>
  text
    .replace(/\((?:except|excluding)[^)]*\)/giu, ' ')
    .replace(/, except.*$/iu, '')
    .replace(/\((?:i\.e\.|e\.g\.),?/giu, ' ')

function readExamples(indexFile: string): Example[] {
  const index = readFileSync(indexFile, 'utf8')
    .split(/\r?\n/u)
    .flatMap((line) => {
      const [, code = '', text = ''] = /^(\d{6}),(.*)$/u.exec(line) ?? []
      const place = places.get(code)
      return place === undefined ? [] : [{ text: clean(text.replace(/^"|"$/gu, '').replaceAll('""', '"')), place }]
    })
  const counts = Map.groupBy(index, ({ place }) => place)
  const kinds = readFileSync(new URL('kinds.tsv', FOLDER), 'utf8').trim().split('\n')
  return [
    ...INDUSTRIES.map(([, title], place) => ({ text: clean(title), place, weight: TITLE_WEIGHT })),
    // Some industries have hundreds of entries, and most have fewer than ten.
    ...index.map((one) => ({ ...one, weight: Math.min(1, 3 / Math.sqrt(counts.get(one.place)?.length ?? 1)) })),
    ...kinds.flatMap((line) => {
      const [code = '', , ...phrases] = line.split('\t')
      return phrases.map((text) => ({ text, place: places.get(code) as number, weight: KIND_WEIGHT }))
    }),
  ]
}

function train(examples: readonly Example[]): IndustryWeights {
  const texts = examples.map(({ text }) => industryFeatures(text))
  const counts = new Map<string, number>()
  for (const features of texts) for (const one of features) counts.set(one, (counts.get(one) ?? 0) + 1)
  const rows = new Map<string, number>()
  texts.forEach((features, at) => {
    const isKind = examples[at]?.weight === KIND_WEIGHT
    for (const one of features)
      if (!rows.has(one) && ((counts.get(one) ?? 0) > 1 || (isKind && !one.includes(' ')))) rows.set(one, rows.size)
  })
  const idf = Float64Array.from(
    rows.keys(),
    (one) => Math.round(Math.log(1 + examples.length / (counts.get(one) ?? 1)) / IDF_STEP) * IDF_STEP,
  )
  const vectors = texts.map((features) => {
    const own = features.map((one) => rows.get(one)).filter((row) => row !== undefined)
    const norm = Math.sqrt(own.reduce((sum, row) => sum + (idf[row] as number) ** 2, 0)) || 1
    return own.map((row) => [row, (idf[row] as number) / norm] as const)
  })
  const table = new Float32Array(rows.size * size)
  const odds = new Float32Array(size)
  const { sample } = randomOf(mulberry32(SEED))
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const rate = RATE / (1 + epoch * RATE_DECAY)
    for (const at of sample([...vectors.keys()], vectors.length)) {
      const [vector, { place, weight }] = [vectors[at] ?? [], examples[at] as Example]
      probabilities(table, vector, odds)
      odds[place] = (odds[place] as number) - 1
      for (const [row, value] of vector) {
        const [start, step] = [row * size, rate * weight * value]
        for (let column = 0; column < size; column++)
          table[start + column] = (table[start + column] as number) * (1 - rate * L2) - step * (odds[column] as number)
      }
    }
  }
  return pack(table, rows, idf)
}

function probabilities(table: Float32Array, vector: readonly (readonly [number, number])[], odds: Float32Array): void {
  odds.fill(0)
  for (const [row, value] of vector)
    for (let column = 0; column < size; column++)
      odds[column] = (odds[column] as number) + (table[row * size + column] as number) * value
  const most = odds.reduce((a, b) => Math.max(a, b), -Infinity)
  let total = 0
  for (let column = 0; column < size; column++) {
    odds[column] = Math.exp((odds[column] as number) - most)
    total += odds[column] as number
  }
  for (let column = 0; column < size; column++) odds[column] = (odds[column] as number) / total
}

/** Keeps and quantizes the large weights. */
function pack(table: Float32Array, rows: ReadonlyMap<string, number>, idf: Float64Array): IndustryWeights {
  const step = table.reduce((most, one) => Math.max(most, Math.abs(one)), 0) / 127
  const kept = [...rows]
    .map(([feature, row]) => {
      const own = table.subarray(row * size, (row + 1) * size)
      const columns = [...own.keys()].filter((column) => Math.abs(own[column] as number) >= MIN_WEIGHT)
      return { hash: hashOf(feature), row, columns, values: columns.map((column) => own[column] as number) }
    })
    .filter(({ columns }) => columns.length > 0)
    .toSorted((a, b) => a.hash - b.hash)
  const encode = (array: Uint8Array | Uint16Array | Uint32Array | Int8Array): string =>
    Buffer.from(array.buffer).toString('base64')
  return {
    step,
    temperature: 1,
    features: encode(Uint32Array.from(kept, ({ hash }) => hash)),
    idf: encode(Uint8Array.from(kept, ({ row }) => Math.round((idf[row] as number) / IDF_STEP))),
    counts: encode(Uint16Array.from(kept, ({ columns }) => columns.length)),
    classes: encode(Uint16Array.from(kept.flatMap(({ columns }) => columns))),
    weights: encode(Int8Array.from(kept.flatMap(({ values }) => values.map((value) => Math.round(value / step))))),
  }
}

/** Chooses the temperature, and prints the accuracy, on the phrases of the sites that may be used for training. */
function calibrate(weights: IndustryWeights): IndustryWeights {
  const phrases = LEARN.flatMap((half) => readSites(half)).flatMap(({ fields }) => {
    const codes = acceptedOf(fields['naics_code']).map(String)
    return codes.length === 0
      ? []
      : acceptedOf(fields['industry'])
          .slice(0, 1)
          .map((phrase) => ({ text: String(phrase), codes }))
  })
  const scored = [0.6, 0.8, 1, 1.25, 1.5].map((temperature) => {
    const model = createIndustryModel({ ...weights, temperature }, size)
    const found = phrases.map(({ text, codes }) => {
      const odds = model(text) ?? new Float64Array(size)
      const best = odds.reduce((first, one, at) => (one > (odds[first] as number) ? at : first), 0)
      const right = codes.reduce((sum, code) => sum + (odds[places.get(code) ?? -1] ?? 0), 0)
      return { isRight: codes.includes(INDUSTRIES[best]?.[0] ?? ''), right, p: odds[best] as number }
    })
    const loss = found.reduce((sum, { right }) => sum - Math.log(Math.max(right, 1e-4)), 0) / found.length
    const right = found.filter(({ isRight }) => isRight).length
    console.log(`temperature ${temperature}: loss ${loss.toFixed(3)}, ${right} of ${found.length} right`)
    return { temperature, loss }
  })
  const [best] = scored.toSorted((a, b) => a.loss - b.loss)
  return { ...weights, temperature: best?.temperature ?? 1 }
}

const [indexFile] = process.argv.slice(2)
if (!indexFile) throw new Error('Pass the path of the 2022 NAICS Index File as CSV.')
const examples = readExamples(indexFile)
const weights = calibrate(train(examples))
writeFileSync(new URL('weights.json', FOLDER), `${JSON.stringify(weights, null, 2)}\n`)
console.log(`${examples.length} texts, ${JSON.stringify(weights).length} bytes`)
