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
  const derivatives = new Float64Array(examples.length * 2)
  const trees: Tree[] = []
  for (let count = 0; count < options.trees; count++) {
    const rows: number[] = []
    examples.forEach(({ label, weight }, at) => {
      if (!random.chance(options.share)) return
      const p = 1 / (1 + Math.exp(-(scores[at] as number)))
      derivatives[at * 2] = weight * (label - p)
      derivatives[at * 2 + 1] = weight * Math.max(p * (1 - p), 1e-6)
      rows.push(at)
    })
    const chosen = Int32Array.from(varied.filter(() => random.chance(options.share)))
    const tree = grow({ cuts, bins, chosen, derivatives, options }, Int32Array.from(rows))
    trees.push(
      tree.map((node) => (typeof node === 'number' ? node : [node[0], thresholdOf(cuts, node), node[2], node[3]])),
    )
    for (let row = 0; row < examples.length; row++)
      scores[row] = (scores[row] as number) + leafOf(tree, bins, row * features.length)
  }
  return { features: [...features], bias: round(bias), trees }
}

/** A tree whose inner nodes contain the highest bin of the lower child instead of a threshold. */
type BinTree = (readonly [feature: number, bin: number, low: number, high: number] | number)[]

const thresholdOf = (cuts: readonly number[][], [feature, bin]: readonly [number, number, number, number]): number =>
  cuts[feature]?.[bin] as number

function leafOf(tree: BinTree, bins: Uint8Array, offset: number): number {
  let node = tree[0]
  while (typeof node === 'object') node = tree[(bins[offset + node[0]] as number) <= node[1] ? node[2] : node[3]]
  return node ?? 0
}

interface Growth {
  cuts: number[][]
  /** The bins of all features of the first example, then those of the second, and so on. */
  bins: Uint8Array
  /** The features that the tree may use. */
  chosen: Int32Array
  /** First and second derivative of the loss of the first example, then those of the second, and so on. */
  derivatives: Float64Array
  options: TreeOptions
}

function grow(growth: Growth, all: Int32Array): BinTree {
  const { options, bins, cuts } = growth
  const nodes: BinTree = []
  const add = (rows: Int32Array, depth: number, sums?: Float64Array): number => {
    const at = nodes.length
    const own = depth < options.depth ? (sums ?? sumsOf(growth, rows)) : undefined
    const split = own && bestSplit(growth, own)
    if (!split) {
      nodes.push(round(leafValue(growth, rows)))
      return at
    }
    nodes.push(0)
    const isLow = (row: number): boolean => (bins[row * cuts.length + split.feature] as number) <= split.bin
    const low = rows.filter(isLow)
    const high = rows.filter((row) => !isLow(row))
    // The sums of the larger part are the difference between the sums of all rows and those of the smaller part.
    const [smaller, larger] = low.length < high.length ? [low, high] : [high, low]
    const parts = new Map<Int32Array, Float64Array>()
    if (depth + 1 < options.depth) {
      const sums = sumsOf(growth, smaller)
      parts.set(smaller, sums).set(
        larger,
        own.map((sum, place) => sum - (sums[place] as number)),
      )
    }
    const children = [add(low, depth + 1, parts.get(low)), add(high, depth + 1, parts.get(high))] as const
    nodes[at] = [split.feature, split.bin, ...children]
    return at
  }
  add(all, 0)
  return nodes
}

function leafValue({ derivatives, options }: Growth, rows: Int32Array): number {
  let [gradient, curve] = [0, 0]
  for (const row of rows) {
    gradient += derivatives[row * 2] as number
    curve += derivatives[row * 2 + 1] as number
  }
  return (options.rate * gradient) / (curve + options.l2)
}

/** Returns the sums of both derivatives of some rows by bin, for each chosen feature. */
function sumsOf({ cuts, bins, chosen, derivatives }: Growth, rows: Int32Array): Float64Array {
  const sums = new Float64Array(chosen.length * BINS * 2)
  for (let row = 0; row < rows.length; row++) {
    const example = rows[row] as number
    const gradient = derivatives[example * 2] as number
    const curve = derivatives[example * 2 + 1] as number
    const offset = example * cuts.length
    for (let at = 0; at < chosen.length; at++) {
      const bin = 2 * (at * BINS + (bins[offset + (chosen[at] as number)] as number))
      sums[bin] = (sums[bin] as number) + gradient
      sums[bin + 1] = (sums[bin + 1] as number) + curve
    }
  }
  return sums
}

function bestSplit({ cuts, chosen, options }: Growth, sums: Float64Array) {
  let [allGradient, allCurve] = [0, 0]
  for (let bin = 0; bin < BINS; bin++) {
    allGradient += sums[bin * 2] as number
    allCurve += sums[bin * 2 + 1] as number
  }
  const gain = (gradient: number, curve: number): number => gradient ** 2 / (curve + options.l2)
  const unsplit = gain(allGradient, allCurve)
  let best: { feature: number; bin: number; gain: number } | undefined
  for (let place = 0; place < chosen.length; place++) {
    const feature = chosen[place] as number
    const count = (cuts[feature] as number[]).length
    let [gradient, curve] = [0, 0]
    for (let bin = 0; bin < count; bin++) {
      gradient += sums[(place * BINS + bin) * 2] as number
      curve += sums[(place * BINS + bin) * 2 + 1] as number
      if (curve < options.minimum || allCurve - curve < options.minimum) continue
      const found = gain(gradient, curve) + gain(allGradient - gradient, allCurve - curve) - unsplit
      if (found > (best?.gain ?? 1e-3)) best = { feature, bin, gain: found }
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
