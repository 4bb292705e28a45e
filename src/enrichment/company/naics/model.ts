import { bucketOf } from '../../classifier/classifier.ts'
import { industryFeatures } from './features.ts'

const HASHES = 2 ** 32
/** Quantization step of the features' inverse document frequencies. */
export const IDF_STEP = 0.05

/**
 * A multinomial logistic regression over a text's features. Only large weights are kept: the file contains the hashes
 * of the features in ascending order, their inverse document frequencies, and their weights by class.
 */
export interface IndustryWeights {
  step: number
  /** Softmax temperature, calibrated on phrases from sites. */
  temperature: number
  /** Unsigned 32-bit hashes, base64-encoded. */
  features: string
  /** Unsigned bytes, base64-encoded. */
  idf: string
  /** Number of weights of each feature: unsigned 16-bit integers, base64-encoded. */
  counts: string
  /** Classes of the weights: unsigned 16-bit integers, base64-encoded. */
  classes: string
  /** Signed bytes, base64-encoded. */
  weights: string
}

const decode = (text: string): ArrayBuffer => Uint8Array.from(Buffer.from(text, 'base64')).buffer

export const hashOf = (feature: string): number => bucketOf(feature, HASHES)

/** Returns a function that estimates the probability of each class for a text; undefined if the text has no known feature. */
export function createIndustryModel(file: IndustryWeights, size: number): (text: string) => Float64Array | undefined {
  const [features, idf, counts] = [
    new Uint32Array(decode(file.features)),
    new Uint8Array(decode(file.idf)),
    new Uint16Array(decode(file.counts)),
  ]
  const [classes, weights] = [new Uint16Array(decode(file.classes)), new Int8Array(decode(file.weights))]
  const starts = new Uint32Array(features.length + 1)
  counts.forEach((count, at) => {
    starts[at + 1] = (starts[at] as number) + count
  })
  const find = (hash: number): number => {
    let [low, high] = [0, features.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const value = features[middle] as number
      if (value === hash) return middle
      if (value < hash) low = middle + 1
      else high = middle - 1
    }
    return -1
  }
  return (text) => {
    const found = industryFeatures(text)
      .map((feature) => find(hashOf(feature)))
      .filter((at) => at >= 0)
    if (found.length === 0) return undefined
    const norm = Math.sqrt(found.reduce((sum, at) => sum + ((idf[at] as number) * IDF_STEP) ** 2, 0))
    const sums = new Float64Array(size)
    for (const at of found) {
      const value = ((idf[at] as number) * IDF_STEP) / norm
      for (let pair = starts[at] as number; pair < (starts[at + 1] as number); pair++) {
        const place = classes[pair] as number
        sums[place] = (sums[place] as number) + (weights[pair] as number) * value
      }
    }
    const scale = file.step / file.temperature
    const most = sums.reduce((a, b) => Math.max(a, b), -Infinity)
    const odds = sums.map((sum) => Math.exp((sum - most) * scale))
    const total = odds.reduce((a, b) => a + b, 0)
    return odds.map((one) => one / total)
  }
}
