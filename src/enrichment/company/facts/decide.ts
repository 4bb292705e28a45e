import { readFileSync } from 'node:fs'
import { bucketOf } from '../../classifier/classifier.ts'

/** The decisions that the models make about candidates. Each decision has its own model. */
export const DECISIONS = ['name', 'founding', 'staff', 'legal-name', 'phone', 'address', 'industry'] as const

export type Decision = (typeof DECISIONS)[number]

/** Number of hash buckets in each model. */
export const BUCKETS = 2 ** 15

/** The file written by `npm run generate -- company-facts`: signed bytes by bucket, the bias last, base64-encoded. */
export type DecisionWeights = Record<Decision, { step: number; weights: string }>

/** A model's input for one candidate. */
export interface Features {
  /** Features of the position and form of the candidate's occurrences. Their values are not normalized. */
  shapes: readonly string[]
  /**
   * N-grams of the words around the candidate, with a letter for their side. Their values are divided by the square
   * root of the number of n-grams on the same side, so a long text does not outweigh a short label.
   */
  words: readonly string[]
}

/**
 * Returns for each candidate the probability that it is the fact. The probabilities add up to less than one, because
 * the site may not state the fact.
 */
export interface Decide {
  (decision: Decision, candidates: readonly Features[]): number[]
  /** Returns how much the words on each side, by the letter of the side, contribute to the log-odds of a candidate. */
  sidesOf: (decision: Decision, features: Features) => Record<string, number>
}

export function createDecide(file: Partial<DecisionWeights>): Decide {
  const tables = new Map(
    Object.entries(file).map(([decision, { step, weights }]) => {
      const bytes = Buffer.from(weights, 'base64')
      return [decision, { step, table: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) }]
    }),
  )
  const sumOf = (decision: Decision, features: Features): number => {
    const model = tables.get(decision)
    return model
      ? model.step *
          rowsOf(decision, features).reduce((total, [row, value]) => total + (model.table[row] as number) * value, 0)
      : 0
  }
  const biasOf = (decision: Decision): number => {
    const model = tables.get(decision)
    return model ? model.step * (model.table[BUCKETS] as number) : -Infinity
  }
  const decide = (decision: Decision, candidates: readonly Features[]): number[] => {
    const odds = candidates.map((features) => Math.exp(sumOf(decision, features) + biasOf(decision)))
    const all = odds.reduce((sum, one) => sum + one, 1)
    return odds.map((one) => one / all)
  }
  return Object.assign(decide, {
    sidesOf: (decision: Decision, { words }: Features) =>
      Object.fromEntries(
        [...Map.groupBy(words, sideOf)].map(([side, own]) => [side, sumOf(decision, { shapes: [], words: own })]),
      ),
  })
}

const sideOf = (word: string): string => /^\d?(.)/u.exec(word)?.[1] ?? ''

/**
 * Value of a shape feature for each decision. The value is higher for decisions that depend more on the position than
 * on the surrounding words.
 */
const SHAPE: Record<Decision, number> = {
  name: 0.5,
  founding: 0.3,
  staff: 0.3,
  'legal-name': 0.5,
  phone: 0.5,
  address: 0.3,
  industry: 0.5,
}

/** Returns the hashed features and their values. */
export function rowsOf(decision: Decision, { shapes, words }: Features): [row: number, value: number][] {
  const rows = new Map<number, number>()
  const sides = Map.groupBy(words, sideOf)
  for (const own of sides.values()) {
    const hashed = new Set(own.map((word) => bucketOf(word, BUCKETS)))
    for (const row of hashed) rows.set(row, 1 / Math.sqrt(hashed.size + 1))
  }
  for (const shape of shapes) rows.set(bucketOf(`S ${shape}`, BUCKETS), SHAPE[decision])
  return [...rows]
}

/** Returns the probability that a candidate is a fact about the company. */
export const decide: Decide = createDecide(
  JSON.parse(readFileSync(new URL('weights.json', import.meta.url), 'utf8')) as DecisionWeights,
)
