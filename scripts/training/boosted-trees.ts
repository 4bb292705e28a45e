import { mulberry32, randomOf } from '../../src/demo/seeded-random.ts'
import type { Tree } from '../../src/enrichment/people/models/trees.ts'

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
  const bins = features.map((_, feature) =>
    Uint8Array.from(examples, ({ values }) => binOf(cuts[feature] as number[], values[feature] as number)),
  )
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
    const chosen = varied.filter(() => random.chance(options.share))
    trees.push(grow({ cuts, bins, chosen, gradients, curves, scores, options }))
  }
  return { features: [...features], bias: round(bias), trees }
}

interface Growth {
  cuts: number[][]
  bins: Uint8Array[]
  /** The features that the tree may use. */
  chosen: readonly number[]
  /** First and second derivatives of the loss; zero for examples that the tree is not grown on. */
  gradients: Float64Array
  curves: Float64Array
  scores: Float64Array
  options: TreeOptions
}

function grow(growth: Growth): Tree {
  const { options, scores } = growth
  const nodes: (number | [number, number, number, number])[] = []
  const add = (rows: Int32Array, depth: number): number => {
    const at = nodes.length
    const split = depth < options.depth ? bestSplit(growth, rows) : undefined
    if (!split) {
      const value = round(leafValue(growth, rows))
      for (const row of rows) scores[row] = (scores[row] as number) + value
      nodes.push(value)
      return at
    }
    const node: [number, number, number, number] = [split.feature, split.threshold, 0, 0]
    nodes.push(node)
    const bin = growth.bins[split.feature] as Uint8Array
    node[2] = add(
      rows.filter((row) => (bin[row] as number) <= split.bin),
      depth + 1,
    )
    node[3] = add(
      rows.filter((row) => (bin[row] as number) > split.bin),
      depth + 1,
    )
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

function bestSplit({ cuts, bins, chosen, gradients, curves, options }: Growth, all: Int32Array) {
  const rows = all.filter((row) => curves[row] !== 0)
  const [gradientsOf, curvesOf] = [Float64Array.from(rows, at(gradients)), Float64Array.from(rows, at(curves))]
  const [allGradient, allCurve] = [sum(gradientsOf), sum(curvesOf)]
  let best: { feature: number; bin: number; threshold: number; gain: number } | undefined
  const gain = (gradient: number, curve: number): number => gradient ** 2 / (curve + options.l2)
  const [gradientIn, curveIn] = [new Float64Array(BINS), new Float64Array(BINS)]
  for (const feature of chosen) {
    gradientIn.fill(0)
    curveIn.fill(0)
    const bin = bins[feature] as Uint8Array
    for (let index = 0; index < rows.length; index++) {
      const at = bin[rows[index] as number] as number
      gradientIn[at] = (gradientIn[at] as number) + (gradientsOf[index] as number)
      curveIn[at] = (curveIn[at] as number) + (curvesOf[index] as number)
    }
    let [gradient, curve] = [0, 0]
    const own = cuts[feature] as number[]
    for (let at = 0; at < own.length; at++) {
      gradient += gradientIn[at] as number
      curve += curveIn[at] as number
      if (curve < options.minimum || allCurve - curve < options.minimum) continue
      const found = gain(gradient, curve) + gain(allGradient - gradient, allCurve - curve) - gain(allGradient, allCurve)
      if (found > (best?.gain ?? 1e-3)) best = { feature, bin: at, threshold: own[at] as number, gain: found }
    }
  }
  return best
}

const at =
  (values: Float64Array) =>
  (row: number): number =>
    values[row] as number
const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0)

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
