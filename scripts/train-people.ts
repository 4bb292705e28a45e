/**
 * `npm run generate -- people [--measure]`: trains the models that read people from pages and writes their weights.
 * `--measure` prints the results for gold pages in held-out folds and does not write weights.
 */
import { writeFileSync } from 'node:fs'
import { parsePage } from '../src/enrichment/extract/page.ts'
import { SECTION_KINDS, useSectionModel } from '../src/enrichment/people/models/classify-section.ts'
import { TEXT_KINDS, useTextModel } from '../src/enrichment/people/models/classify-text.ts'
import type { TreeModel } from '../src/enrichment/people/models/trees.ts'
import { predict } from '../src/enrichment/people/models/trees.ts'
import { measureGroups } from '../src/enrichment/people/page/group-features.ts'
import { nameKey } from '../src/enrichment/people/page/name-key.ts'
import type { PairModels } from '../src/enrichment/people/page/page-people.ts'
import { pairsOf } from '../src/enrichment/people/page/page-people.ts'
import type { Pair } from '../src/enrichment/people/page/pair-features.ts'
import { withoutLabel } from '../src/enrichment/people/titles/title-text.ts'
import type { TreeExample } from './training/boosted-trees.ts'
import { trainTrees } from './training/boosted-trees.ts'
import { inventedPages } from './training/invented-pages.ts'
import { measureFolds } from './training/measure-folds.ts'
import type { LabelledPage } from './training/pages.ts'
import { goldPages } from './training/pages.ts'
import { sectionExamples, textExamples } from './training/text-examples.ts'
import { trainTextModel } from './training/text-models.ts'

const INVENTED = 1000
const FOLDS = 2
const OPTIONS = { trees: 110, depth: 4, rate: 0.15, minimum: 3, l2: 4 }

/**
 * A page's pairs of names and titles, labeled 1 if the name is one of the company's people and the title is correct.
 */
interface ReadPage {
  page: LabelledPage
  pairs: Pair[]
  labels: (0 | 1)[]
  weights: number[]
}

const fold = (text: string): string => text.toLowerCase().replaceAll(/\s+/gu, ' ').replace(/\.$/u, '').trim()

function readPage(page: LabelledPage): ReadPage {
  const pairs = pairsOf(parsePage(page.html, page.url), false)
  const titles = new Map(page.people.map(({ name, title }) => [nameKey(name), fold(title ?? '')]))
  const labels = pairs.map(({ name, title }): 0 | 1 => {
    const wanted = titles.get(nameKey(name.text))
    return wanted !== undefined && wanted === fold(withoutLabel(title.text)) ? 1 : 0
  })
  const right = new Set(pairs.filter((_, at) => labels[at] === 1).map(({ name }) => nameKey(name.text)))
  // Pairs of a person who appears on a page without the title in the page's key, for example in a caption, have a low
  // weight.
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
  const examples = pages.flatMap(({ pairs, labels, weights }, at) =>
    pairs.flatMap(({ values }, index): TreeExample[] => {
      // Most pairs are negative, so only every third negative pair is used, with three times the weight.
      const label = labels[index] as 0 | 1
      if (label === 0 && index % 3 !== 0) return []
      const all: Record<string, number> = { ...values, ...extra?.[at]?.[index] }
      return [
        {
          values: features.map((feature) => all[feature] ?? 0),
          label,
          weight: (weights[index] as number) * (label === 0 ? 3 : 1),
        },
      ]
    }),
  )
  return trainTrees(examples, features, OPTIONS)
}

/** Trains both stages. The second model is trained on the first model's scores for pages that the first model was not
 * trained on. */
function trainPairs(pages: readonly ReadPage[]): PairModels {
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

const write = (file: string, weights: unknown): void =>
  writeFileSync(
    new URL(`../src/enrichment/people/models/weights-${file}.json`, import.meta.url),
    `${JSON.stringify(weights)}\n`,
  )

const texts = trainTextModel(TEXT_KINDS, textExamples('first'))
const sections = trainTextModel(SECTION_KINDS, sectionExamples())
useTextModel(texts)
useSectionModel(sections)
const pages = [...goldPages(), ...inventedPages(INVENTED)].map(readPage)
console.log(`${pages.length} pages, ${pages.reduce((sum, { pairs }) => sum + pairs.length, 0)} pairs`)
if (process.argv.includes('--measure')) measureFolds(pages, trainPairs)
else {
  write('pairs', trainPairs(pages))
  write('sections', sections)
  write('text-kinds', trainTextModel(TEXT_KINDS, textExamples('both'), texts.temperature))
}
