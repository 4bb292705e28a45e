import { FEATURES } from '../../src/matching/features.ts'

/** A query and the features of its candidates, one row per candidate. */
export interface MatchExample {
  rows: Float64Array
  /** Index of the correct candidate; -1 if there is none. */
  right: number
  /** Whether the requested company is stored. */
  isKnown: boolean
}

/** The model's result for a query. */
export interface MatchOutcome {
  /** Likelihood of the first candidate; 0 if there is none. */
  likelihood: number
  isRight: boolean
  isKnown: boolean
}

const SIZE = FEATURES.length
const ITERATIONS = 40
/** Strength of the L2 regularization. */
const L2 = 1

/** Returns the probability of each candidate. The remainder is the probability that no candidate is correct. */
function probabilities({ rows }: MatchExample, weights: Float64Array): Float64Array {
  const odds = new Float64Array(rows.length / SIZE)
  let total = 1
  for (let index = 0; index < odds.length; index += 1) {
    let sum = 0
    for (let at = 0; at < SIZE; at += 1) sum += (rows[index * SIZE + at] as number) * (weights[at] as number)
    odds[index] = Math.exp(Math.min(50, sum))
    total += odds[index] as number
  }
  for (let index = 0; index < odds.length; index += 1) odds[index] = (odds[index] as number) / total
  return odds
}

/**
 * Trains a conditional logistic regression with Newton's method: either one candidate is correct, or none is. The loss
 * is convex, so the result depends neither on the order of the examples nor on a seed.
 */
export function trainMatching(examples: readonly MatchExample[]): Float64Array {
  let weights = new Float64Array(SIZE)
  let loss = lossOf(examples, weights)
  for (let step = 1; step <= ITERATIONS; step += 1) {
    const direction = newtonStep(examples, weights)
    let next = weights
    let nextLoss = Number.POSITIVE_INFINITY
    for (let length = 1; nextLoss > loss && length > 1e-3; length /= 2) {
      next = weights.map((weight, at) => weight - length * (direction[at] as number))
      nextLoss = lossOf(examples, next)
    }
    if (nextLoss > loss - 1e-9 * loss) break
    weights = next
    loss = nextLoss
  }
  return weights
}

function lossOf(examples: readonly MatchExample[], weights: Float64Array): number {
  let loss = weights.reduce((sum, weight) => sum + (L2 / 2) * weight * weight, 0)
  for (const example of examples) {
    const given = probabilities(example, weights)
    const none = 1 - given.reduce((sum, one) => sum + one, 0)
    loss -= Math.log(Math.max(1e-12, example.right === -1 ? none : (given[example.right] as number)))
  }
  return loss
}

/** Returns the Newton step: the gradient multiplied by the inverse Hessian. */
function newtonStep(examples: readonly MatchExample[], weights: Float64Array): Float64Array {
  const gradient = weights.map((weight) => L2 * weight)
  const hessian = Array.from({ length: SIZE }, (_, row) =>
    Float64Array.from({ length: SIZE }, (_, at) => (row === at ? L2 : 0)),
  )
  for (const example of examples) {
    const { rows, right } = example
    const given = probabilities(example, weights)
    const mean = new Float64Array(SIZE)
    for (let index = 0; index < given.length; index += 1) {
      const share = given[index] as number
      const error = share - Number(index === right)
      for (let at = 0; at < SIZE; at += 1) {
        const value = rows[index * SIZE + at] as number
        if (value === 0) continue
        gradient[at] = (gradient[at] as number) + error * value
        if (share < 1e-9) continue
        mean[at] = (mean[at] as number) + share * value
        const row = hessian[at] as Float64Array
        for (let other = 0; other < SIZE; other += 1)
          row[other] = (row[other] as number) + share * value * (rows[index * SIZE + other] as number)
      }
    }
    for (let at = 0; at < SIZE; at += 1)
      for (let other = 0; other < SIZE; other += 1)
        (hessian[at] as Float64Array)[other] =
          ((hessian[at] as Float64Array)[other] as number) - (mean[at] as number) * (mean[other] as number)
  }
  return solve(hessian, gradient)
}

/** Solves a linear system by Gaussian elimination; the matrix is positive definite. */
function solve(matrix: Float64Array[], vector: Float64Array): Float64Array {
  for (let at = 0; at < SIZE; at += 1) {
    const pivot = matrix[at] as Float64Array
    for (let row = at + 1; row < SIZE; row += 1) {
      const current = matrix[row] as Float64Array
      const factor = (current[at] as number) / (pivot[at] as number)
      for (let column = at; column < SIZE; column += 1)
        current[column] = (current[column] as number) - factor * (pivot[column] as number)
      vector[row] = (vector[row] as number) - factor * (vector[at] as number)
    }
  }
  const solution = new Float64Array(SIZE)
  for (let at = SIZE - 1; at >= 0; at -= 1) {
    const row = matrix[at] as Float64Array
    let rest = vector[at] as number
    for (let column = at + 1; column < SIZE; column += 1) rest -= (row[column] as number) * (solution[column] as number)
    solution[at] = rest / (row[at] as number)
  }
  return solution
}

export function outcomeOf(example: MatchExample, weights: Float64Array): MatchOutcome {
  const given = probabilities(example, weights)
  const best = given.reduce((best, one, index) => (one > (given[best] ?? -1) ? index : best), -1)
  return { likelihood: given[best] ?? 0, isRight: best !== -1 && best === example.right, isKnown: example.isKnown }
}

/** Returns the lowest likelihood threshold that reaches the given precision. */
export function thresholdFor(precision: number, outcomes: readonly MatchOutcome[]): number {
  for (let percent = 55; percent < 99; percent += 1) {
    const taken = outcomes.filter(({ likelihood }) => likelihood >= percent / 100)
    if (taken.filter(({ isRight }) => isRight).length >= precision * taken.length) return percent / 100
  }
  return 0.99
}
