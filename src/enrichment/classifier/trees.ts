/**
 * Boosted regression trees that predict a probability. A tree is a flat list of nodes. An inner node contains its
 * feature, its threshold and the indexes of its children for lower and higher values; a leaf contains a number.
 */
export type Tree = readonly (readonly [feature: number, threshold: number, low: number, high: number] | number)[]

export interface TreeModel {
  /** Names of the features. Nodes refer to features by index. */
  features: readonly string[]
  /** Log-odds before the first tree. */
  bias: number
  trees: readonly Tree[]
}

/** Returns the probability for the feature values. Missing values count as zero. */
export function predict({ features, bias, trees }: TreeModel, values: Readonly<Record<string, number>>): number {
  const row = features.map((feature) => values[feature] ?? 0)
  let sum = bias
  for (const tree of trees) sum += leafOf(tree, row)
  return 1 / (1 + Math.exp(-sum))
}

function leafOf(tree: Tree, values: readonly number[]): number {
  let node = tree[0]
  while (typeof node === 'object') node = tree[(values[node[0]] as number) <= node[1] ? node[2] : node[3]]
  return node ?? 0
}
