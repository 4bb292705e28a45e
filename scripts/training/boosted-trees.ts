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
}

const BINS = 48

/** Boosts regression trees on the logistic loss, with features binned at quantiles. Deterministic. */
export function trainTrees(examples: readonly TreeExample[], features: readonly string[], options: TreeOptions) {
  const cuts = features.map((_, feature) => quantiles(examples, feature))
  const bins = features.map((_, feature) =>
    Uint8Array.from(examples, ({ values }) => binOf(cuts[feature] as number[], values[feature] as number)),
  )
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  const positive = examples.reduce((sum, { weight, label }) => sum + weight * label, 0)
  const bias = Math.log(positive / (total - positive))
  const scores = new Float64Array(examples.length).fill(bias)
  const trees: Tree[] = []
  for (let count = 0; count < options.trees; count++) {
    const gradients = new Float64Array(examples.length)
    const curves = new Float64Array(examples.length)
    examples.forEach(({ label, weight }, at) => {
      const p = 1 / (1 + Math.exp(-(scores[at] as number)))
      gradients[at] = weight * (label - p)
      curves[at] = weight * Math.max(p * (1 - p), 1e-6)
    })
    trees.push(grow({ cuts, bins, gradients, curves, scores, options }))
  }
  return { features: [...features], bias: round(bias), trees }
}

interface Growth {
  cuts: number[][]
  bins: Uint8Array[]
  gradients: Float64Array
  curves: Float64Array
  scores: Float64Array
  options: TreeOptions
}

function grow(growth: Growth): Tree {
  const { options, scores } = growth
  const nodes: [number, number, number, number][] | (number | [number, number, number, number])[] = []
  const add = (rows: Int32Array, depth: number): number => {
    const at = nodes.length
    const split = depth < options.depth ? bestSplit(growth, rows) : undefined
    if (!split) {
      const value = round(leafValue(growth, rows))
      for (const row of rows) scores[row] = (scores[row] as number) + value
      nodes.push(value as never)
      return at
    }
    const node: [number, number, number, number] = [split.feature, split.threshold, 0, 0]
    nodes.push(node as never)
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
  return nodes as Tree
}

function leafValue({ gradients, curves, options }: Growth, rows: Int32Array): number {
  let [gradient, curve] = [0, 0]
  for (const row of rows) {
    gradient += gradients[row] as number
    curve += curves[row] as number
  }
  return (options.rate * gradient) / (curve + options.l2)
}

function bestSplit({ cuts, bins, gradients, curves, options }: Growth, rows: Int32Array) {
  let [allGradient, allCurve] = [0, 0]
  for (const row of rows) {
    allGradient += gradients[row] as number
    allCurve += curves[row] as number
  }
  let best: { feature: number; bin: number; threshold: number; gain: number } | undefined
  const gain = (gradient: number, curve: number): number => gradient ** 2 / (curve + options.l2)
  for (let feature = 0; feature < bins.length; feature++) {
    const [gradientOf, curveOf] = [new Float64Array(BINS), new Float64Array(BINS)]
    const bin = bins[feature] as Uint8Array
    for (const row of rows) {
      const at = bin[row] as number
      gradientOf[at] = (gradientOf[at] as number) + (gradients[row] as number)
      curveOf[at] = (curveOf[at] as number) + (curves[row] as number)
    }
    let [gradient, curve] = [0, 0]
    const own = cuts[feature] as number[]
    for (let at = 0; at < own.length; at++) {
      gradient += gradientOf[at] as number
      curve += curveOf[at] as number
      if (curve < options.minimum || allCurve - curve < options.minimum) continue
      const found = gain(gradient, curve) + gain(allGradient - gradient, allCurve - curve) - gain(allGradient, allCurve)
      if (found > (best?.gain ?? 1e-3)) best = { feature, bin: at, threshold: own[at] as number, gain: found }
    }
  }
  return best
}

/** Returns at most BINS - 1 thresholds that divide the values of a feature. */
function quantiles(examples: readonly TreeExample[], feature: number): number[] {
  const values = [...new Set(examples.map(({ values }) => values[feature] as number))].toSorted((a, b) => a - b)
  if (values.length <= BINS)
    return values.slice(0, -1).map((value, at) => round((value + (values[at + 1] as number)) / 2))
  const all = examples.map(({ values }) => values[feature] as number).toSorted((a, b) => a - b)
  const cuts = Array.from({ length: BINS - 1 }, (_, at) => all[Math.floor(((at + 1) * all.length) / BINS)] as number)
  return [...new Set(cuts.map(round))].toSorted((a, b) => a - b)
}

const binOf = (cuts: readonly number[], value: number): number => {
  let bin = 0
  while (bin < cuts.length && value > (cuts[bin] as number)) bin++
  return bin
}

const round = (value: number): number => Number(value.toPrecision(5))
