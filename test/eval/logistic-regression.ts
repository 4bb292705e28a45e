import { minimize } from './adam.ts'

/** A sparse row: feature indices with their values, and the class it belongs to. */
export interface Example {
  indices: Int32Array
  values: Float64Array
  label: number
  weight: number
}

export interface TrainOptions {
  features: number
  classes: number
  /** Strength of the L2 regularization. */
  l2: number
  iterations: number
}

/**
 * Trains a multinomial logistic regression. The loss is convex, so the result depends
 * neither on the order of the examples nor on a seed. Returns weights as [feature * classes + class], with the bias
 * last.
 */
export function trainLogisticRegression(examples: Example[], options: TrainOptions): Float64Array {
  const { features, classes, l2, iterations } = options
  const total = examples.reduce((sum, example) => sum + example.weight, 0)
  return minimize((features + 1) * classes, iterations, (gradient, weights) => {
    for (let at = 0; at < gradient.length; at += 1)
      gradient[at] = at < features * classes ? (l2 * (weights[at] as number)) / total : 0
    for (const example of examples) addGradient(example, weights, gradient, features, classes, total)
  })
}

function addGradient(
  example: Example,
  weights: Float64Array,
  gradient: Float64Array,
  features: number,
  classes: number,
  total: number,
): void {
  const errors = scoresOf(example, weights, features, classes)
  softmax(errors)
  const bias = features * classes
  for (let label = 0; label < classes; label += 1) {
    const error = (((errors[label] as number) - (label === example.label ? 1 : 0)) * example.weight) / total
    errors[label] = error
    gradient[bias + label] = (gradient[bias + label] as number) + error
  }
  for (let at = 0; at < example.indices.length; at += 1) {
    const row = (example.indices[at] as number) * classes
    const value = example.values[at] as number
    for (let label = 0; label < classes; label += 1)
      gradient[row + label] = (gradient[row + label] as number) + (errors[label] as number) * value
  }
}

function scoresOf(example: Example, weights: Float64Array, features: number, classes: number): Float64Array {
  const scores = weights.slice(features * classes, (features + 1) * classes)
  for (let at = 0; at < example.indices.length; at += 1) {
    const row = (example.indices[at] as number) * classes
    const value = example.values[at] as number
    for (let label = 0; label < classes; label += 1)
      scores[label] = (scores[label] as number) + (weights[row + label] as number) * value
  }
  return scores
}

function softmax(scores: Float64Array): void {
  const highest = Math.max(...scores)
  let sum = 0
  for (let at = 0; at < scores.length; at += 1) {
    scores[at] = Math.exp((scores[at] as number) - highest)
    sum += scores[at] as number
  }
  for (let at = 0; at < scores.length; at += 1) scores[at] = (scores[at] as number) / sum
}
