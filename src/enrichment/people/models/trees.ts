/**
 * Boosted regression trees for a probability. A tree is a flat list of nodes: an inner node is its feature, threshold
 * and the indexes of its children for lower and higher values; a leaf is a number.
 */
export type Tree = readonly (readonly [feature: number, threshold: number, low: number, high: number] | number)[]

export interface TreeModel {
  /** Names of the features, in the order of the values. */
  features: readonly string[]
  /** Log-odds before the first tree. */
  bias: number
  trees: readonly Tree[]
}

/** Returns the probability for a row of values. */
export function predict({ bias, trees }: TreeModel, values: readonly number[]): number {
  let sum = bias
  for (const tree of trees) sum += leafOf(tree, values)
  return 1 / (1 + Math.exp(-sum))
}

function leafOf(tree: Tree, values: readonly number[]): number {
  let node = tree[0]
  while (typeof node === 'object') node = tree[(values[node[0]] as number) <= node[1] ? node[2] : node[3]]
  return node ?? 0
}
