import { readFileSync } from 'node:fs'

/** The weights of a logistic regression, in hundredths. */
export interface AboutWeights {
  bias: number
  features: Record<string, number>
}

/** Returns the probability that the company is a main party of the story with these features. */
export function aboutProbability({ bias, features }: AboutWeights, names: readonly string[]): number {
  const score = names.reduce(
    (sum, name) => sum + (Object.hasOwn(features, name) ? (features[name] as number) : 0),
    bias,
  )
  return 1 / (1 + Math.exp(-score / 100))
}

let committed: AboutWeights | undefined

/** Returns the trained weights in `weights.json`, loaded on first use. */
export function aboutWeights(): AboutWeights {
  committed ??= JSON.parse(readFileSync(new URL('./weights.json', import.meta.url), 'utf8')) as AboutWeights
  return committed
}
