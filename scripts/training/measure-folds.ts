import type { PairModels } from '../../src/enrichment/people/page/page-people.ts'
import { usePairModels } from '../../src/enrichment/people/page/page-people.ts'
import type { Counts } from '../../test/eval/counts.ts'
import type { GoldSite } from '../../test/eval/gold-sites.ts'
import { readSites } from '../../test/eval/gold-sites.ts'
import { printTable } from '../../test/eval/print-table.ts'
import { Score, throughProvider } from '../../test/eval/site-scores.ts'
import { LEARN } from './pages.ts'
import type { ReadPage } from './pair-models.ts'

const FOLDS = 5

interface LearnSite {
  set: string
  site: GoldSite
}

/**
 * Prints what the pair models find on sites that they were not trained on, through the website provider: first with a
 * fifth of the sites of each set left out, then with a whole set left out, so that its authors' other sites are unknown
 * too.
 */
export async function measureFolds(
  pages: readonly ReadPage[],
  train: (pages: readonly ReadPage[]) => PairModels,
): Promise<void> {
  const sites = LEARN.flatMap((set) => readSites(set).map((site): LearnSite => ({ set, site })))
  const folds = Map.groupBy(sites, (one) => sites.indexOf(one) % FOLDS)
  await measure('a fifth of the sites left out', [...folds.values()], pages, train)
  const sets = Map.groupBy(sites, ({ set }) => set)
  await measure('the whole set left out', [...sets.values()], pages, train)
}

async function measure(
  title: string,
  folds: readonly (readonly LearnSite[])[],
  pages: readonly ReadPage[],
  train: (pages: readonly ReadPage[]) => PairModels,
): Promise<void> {
  const scores = new Map<string, Score>(LEARN.map((set) => [set, new Score()]))
  for (const fold of folds) {
    const held = new Set(fold.map(({ set, site }) => `${set} ${site.domain}`))
    usePairModels(train(pages.filter(({ page }) => !held.has(page.group))))
    for (const { set, site } of fold) scores.get(set)?.add(site, await throughProvider(site))
  }
  printTable(
    `people, ${title}`,
    [...scores].map(([set, { people }]): [string, Counts] => [set, people]),
  )
  if (process.argv.includes('--differences'))
    for (const { differences } of scores.values()) console.log(differences.map((line) => `    ${line}`).join('\n'))
}
