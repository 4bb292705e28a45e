/** Reads training pages and trains the two models that decide which names and titles belong to the company's people. */

import type { TreeModel } from '../../src/enrichment/classifier/trees.ts'
import { predict } from '../../src/enrichment/classifier/trees.ts'
import { parsePage } from '../../src/enrichment/extract/page.ts'
import { measureGroups } from '../../src/enrichment/people/page/group-features.ts'
import { nameKey } from '../../src/enrichment/people/page/name-key.ts'
import type { PairModels } from '../../src/enrichment/people/page/page-people.ts'
import { pairsOf } from '../../src/enrichment/people/page/page-people.ts'
import type { Pair } from '../../src/enrichment/people/page/pair-features.ts'
import { withoutLabel } from '../../src/enrichment/people/titles/title-text.ts'
import type { TreeExample } from './boosted-trees.ts'
import { trainTrees } from './boosted-trees.ts'
import type { LabeledPage } from './pages.ts'

const FOLDS = 2
/** Minimum weight of a gold page. */
const GOLD_WEIGHT = 5
/**
 * Most pairs are negative, so only every third negative pair of a gold page and every sixth of an invented page is used,
 * with three or six times the weight.
 */
const GOLD_STEP = 3
const INVENTED_STEP = 6
const OPTIONS = { trees: 320, depth: 5, rate: 0.09, minimum: 3, l2: 4, share: 0.5 }

/** A page's pairs, labeled by whether each is one of the company's people with the correct title. */
export interface ReadPage {
  page: LabeledPage
  pairs: Pair[]
  labels: (0 | 1)[]
  weights: number[]
}

const fold = (text: string): string => text.toLowerCase().replaceAll(/\s+/gu, ' ').replace(/\.$/u, '').trim()

export function readPage(page: LabeledPage): ReadPage {
  const pairs = pairsOf(parsePage(page.html, page.url), page.isTeamPage ?? false)
  const titles = new Map(page.people.map(({ name, title }) => [nameKey(name), fold(title ?? '')]))
  const labels = pairs.map(({ name, title }): 0 | 1 => {
    const wanted = titles.get(nameKey(name.text))
    return wanted !== undefined && wanted === fold(withoutLabel(title.text)) ? 1 : 0
  })
  const right = new Set(pairs.filter((_, at) => labels[at] === 1).map(({ name }) => nameKey(name.text)))
  // A page can mention a person without the title in the key, for example in a caption. Such pairs get a low weight.
  const weights = pairs.map(({ name }) => {
    const key = nameKey(name.text)
    return titles.has(key) && !right.has(key) ? page.weight * 0.15 : page.weight
  })
  return { page, pairs, labels, weights }
}

const namesOf = (pairs: readonly Pair[], more: readonly Record<string, number>[] = []): string[] => [
  ...new Set([
    ...pairs.slice(0, 20).flatMap(({ values }) => Object.keys(values)),
    ...more.slice(0, 20).flatMap((values) => Object.keys(values)),
  ]),
]

function trainOn(pages: readonly ReadPage[], extra?: readonly Record<string, number>[][]): TreeModel {
  const features = namesOf(
    pages.flatMap(({ pairs }) => pairs),
    extra?.flat(),
  )
  const examples = pages.flatMap(({ page, pairs, labels, weights }, at) => {
    const step = page.weight < GOLD_WEIGHT ? INVENTED_STEP : GOLD_STEP
    return pairs.flatMap(({ values }, index): TreeExample[] => {
      const label = labels[index] as 0 | 1
      if (label === 0 && index % step !== 0) return []
      const more = extra?.[at]?.[index] ?? {}
      return [
        {
          values: features.map((feature) => values[feature] ?? more[feature] ?? 0),
          label,
          weight: (weights[index] as number) * (label === 0 ? step : 1),
        },
      ]
    })
  })
  return trainTrees(examples, features, OPTIONS)
}

/** Both stages without the calibration. */
export type TrainedPairs = Omit<PairModels, 'calibration'>

/** Trains both stages. The second model is trained on the first model's scores for pages that the first model was not
 * trained on. */
export function trainPairs(pages: readonly ReadPage[]): TrainedPairs {
  const foldOf = (at: number): number =>
    [...(pages[at]?.page.group ?? '')].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % FOLDS
  const extra: Record<string, number>[][] = []
  for (let held = 0; held < FOLDS; held++) {
    const first = trainOn(pages.filter((_, at) => foldOf(at) !== held))
    pages.forEach(({ pairs }, at) => {
      if (foldOf(at) !== held) return
      extra[at] = measureGroups(pairs.map((pair) => ({ pair, probability: predict(first, pair.values) })))
    })
  }
  return { single: trainOn(pages), grouped: trainOn(pages, extra) }
}
