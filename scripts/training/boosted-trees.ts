import { mulberry32, randomOf } from '../../src/demo/seeded-random.ts'
import type { Tree } from '../../src/enrichment/classifier/trees.ts'

export interface TreeExample {
  values: readonly number[]
  label: 0 | 1
  weight: number
}

export interface TreeOptions {
  trees: number
  depth: number
  rate: number
  /** Minimum sum of second derivatives in a leaf. */
  minimum: number
  l2: number
  /** Share of the examples and of the features that each tree is grown on. */
  share: number
}

const BINS = 48
const SEED = 20_261_123

/**
 * Boosts regression trees on the logistic loss, with features binned at quantiles. Each tree is grown on a random part
 * of the examples and features, so that the trees differ. Deterministic.
 */
export function trainTrees(examples: readonly TreeExample[], features: readonly string[], options: TreeOptions) {
  const cuts = features.map((_, feature) => quantiles(examples, feature))
  const bins = new Uint8Array(examples.length * features.length)
  examples.forEach(({ values }, row) => {
    values.forEach((value, feature) => {
      bins[row * features.length + feature] = binOf(cuts[feature] as number[], value)
    })
  })
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  const positive = examples.reduce((sum, { weight, label }) => sum + weight * label, 0)
  const bias = Math.log(positive / (total - positive))
  const scores = new Float64Array(examples.length).fill(bias)
  const varied = features.flatMap((_, feature) => ((cuts[feature] as number[]).length > 0 ? [feature] : []))
  const random = randomOf(mulberry32(SEED))
  const trees: Tree[] = []
  for (let count = 0; count < options.trees; count++) {
    const gradients = new Float64Array(examples.length)
    const curves = new Float64Array(examples.length)
    examples.forEach(({ label, weight }, at) => {
      if (!random.chance(options.share)) return
      const p = 1 / (1 + Math.exp(-(scores[at] as number)))
      gradients[at] = weight * (label - p)
      curves[at] = weight * Math.max(p * (1 - p), 1e-6)
    })
    const chosen = Int32Array.from(varied.filter(() => random.chance(options.share)))
    trees.push(grow({ cuts, bins, chosen, gradients, curves, scores, options }))
  }
  return { features: [...features], bias: round(bias), trees }
}

interface Growth {
  cuts: number[][]
  /** The bins of all features of the first example, then those of the second, and so on. */
  bins: Uint8Array
  /** The features that the tree may use. */
  chosen: Int32Array
  /** First and second derivatives of the loss; zero for examples that the tree is not grown on. */
  gradients: Float64Array
  curves: Float64Array
  scores: Float64Array
  options: TreeOptions
}

function grow(growth: Growth): Tree {
  const { options, scores, bins, cuts } = growth
  const nodes: (number | [number, number, number, number])[] = []
  const add = (rows: Int32Array, depth: number, sums?: Sums): number => {
    const at = nodes.length
    const own = depth < options.depth ? (sums ?? sumsOf(growth, rows)) : undefined
    const split = own && bestSplit(growth, own)
    if (!split) {
      const value = round(leafValue(growth, rows))
      for (const row of rows) scores[row] = (scores[row] as number) + value
      nodes.push(value)
      return at
    }
    const node: [number, number, number, number] = [split.feature, split.threshold, 0, 0]
    nodes.push(node)
    const isLow = (row: number): boolean => (bins[row * cuts.length + split.feature] as number) <= split.bin
    const low = rows.filter(isLow)
    const high = rows.filter((row) => !isLow(row))
    // The sums of the larger part are the difference between the sums of all rows and those of the smaller part.
    const [smaller, larger] = low.length < high.length ? [low, high] : [high, low]
    const parts = new Map<Int32Array, Sums>()
    if (depth + 1 < options.depth) {
      const sums = sumsOf(growth, smaller)
      parts.set(smaller, sums).set(larger, difference(own, sums))
    }
    node[2] = add(low, depth + 1, parts.get(low))
    node[3] = add(high, depth + 1, parts.get(high))
    return at
  }
  add(
    Int32Array.from(scores, (_, row) => row),
    0,
  )
  return nodes
}

function leafValue({ gradients, curves, options }: Growth, rows: Int32Array): number {
  let [gradient, curve] = [0, 0]
  for (const row of rows) {
    gradient += gradients[row] as number
    curve += curves[row] as number
  }
  return (options.rate * gradient) / (curve + options.l2)
}

/** Sums of the derivatives of some rows by bin, for each chosen feature. */
interface Sums {
  gradients: Float64Array
  curves: Float64Array
}

function sumsOf({ cuts, bins, chosen, gradients, curves }: Growth, rows: Int32Array): Sums {
  const sums = {
    gradients: new Float64Array(chosen.length * BINS),
    curves: new Float64Array(chosen.length * BINS),
  }
  for (const row of rows) {
    const curve = curves[row] as number
    if (curve === 0) continue
    const gradient = gradients[row] as number
    for (let at = 0; at < chosen.length; at++) {
      const bin = at * BINS + (bins[row * cuts.length + (chosen[at] as number)] as number)
      sums.gradients[bin] = (sums.gradients[bin] as number) + gradient
      sums.curves[bin] = (sums.curves[bin] as number) + curve
    }
  }
  return sums
}

const difference = (all: Sums, part: Sums): Sums => ({
  gradients: all.gradients.map((sum, at) => sum - (part.gradients[at] as number)),
  curves: all.curves.map((sum, at) => sum - (part.curves[at] as number)),
})

function bestSplit({ cuts, chosen, options }: Growth, { gradients, curves }: Sums) {
  const total = (sums: Float64Array): number => sums.subarray(0, BINS).reduce((all, one) => all + one, 0)
  const [allGradient, allCurve] = [total(gradients), total(curves)]
  let best: { feature: number; bin: number; threshold: number; gain: number } | undefined
  const gain = (gradient: number, curve: number): number => gradient ** 2 / (curve + options.l2)
  for (let place = 0; place < chosen.length; place++) {
    const feature = chosen[place] as number
    const own = cuts[feature] as number[]
    let [gradient, curve] = [0, 0]
    for (let at = 0; at < own.length; at++) {
      gradient += gradients[place * BINS + at] as number
      curve += curves[place * BINS + at] as number
      if (curve < options.minimum || allCurve - curve < options.minimum) continue
      const found = gain(gradient, curve) + gain(allGradient - gradient, allCurve - curve) - gain(allGradient, allCurve)
      if (found > (best?.gain ?? 1e-3)) best = { feature, bin: at, threshold: own[at] as number, gain: found }
    }
  }
  return best
}

/** Returns at most BINS - 1 thresholds, between the values of a feature. */
function quantiles(examples: readonly TreeExample[], feature: number): number[] {
  const all = Float64Array.from(examples, ({ values }) => values[feature] as number).sort()
  const values = [...new Set(all)]
  if (values.length <= BINS)
    return values.slice(0, -1).map((value, at) => round((value + (values[at + 1] as number)) / 2))
  const cuts = Array.from({ length: BINS - 1 }, (_, at) => all[Math.floor(((at + 1) * all.length) / BINS)] as number)
  return [...new Set(cuts.map(round))].toSorted((a, b) => a - b)
}

const binOf = (cuts: readonly number[], value: number): number => {
  let bin = 0
  while (bin < cuts.length && value > (cuts[bin] as number)) bin++
  return bin
}

const round = (value: number): number => Number(value.toPrecision(5))
