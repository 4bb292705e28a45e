/**
 * A trained multinomial logistic regression over hashed features. Weights are signed bytes, ordered by bucket and class
 * and followed by the biases.
 */
export interface ClassifierWeights {
  /** Quantization step of the weights. */
  step: number
  /** Softmax temperature, calibrated on data unlike the training data. */
  temperature: number
  /** The weights, base64-encoded. */
  weights: string
}

/** Probability of each class. The probabilities add up to one. */
export type Probabilities<Class extends string> = Readonly<Record<Class, number>>

/** Returns a classifier that takes the hashed features of a text. */
export function createClassifier<Class extends string>(
  classes: readonly Class[],
  { step, temperature, weights }: ClassifierWeights,
): (buckets: readonly number[]) => Probabilities<Class> {
  const bytes = Buffer.from(weights, 'base64')
  const table = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const width = classes.length
  const biases = table.length - width
  return (buckets) => {
    const scale = step / Math.sqrt(buckets.length + 1) / temperature
    const odds = classes.map((_, column) => {
      const sum = buckets.reduce((total, bucket) => total + (table[bucket * width + column] as number), 0)
      return Math.exp(sum * scale + ((table[biases + column] as number) * step) / temperature)
    })
    const total = odds.reduce((sum, one) => sum + one, 0)
    return Object.fromEntries(
      classes.map((name, column) => [name, (odds[column] as number) / total]),
    ) as Probabilities<Class>
  }
}

/** Hashes a feature to one of the buckets, with FNV-1a over its UTF-16 code units. */
export function bucketOf(feature: string, buckets: number): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < feature.length; at++) hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193)
  return (hash >>> 0) % buckets
}
