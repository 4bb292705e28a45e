import type { PairModels } from '../../src/enrichment/people/page/page-people.ts'
import { usePairModels } from '../../src/enrichment/people/page/page-people.ts'
import type { Counts } from '../../test/eval/counts.ts'
import { LEARN, readSites } from '../../test/eval/gold-sites.ts'
import { printTable } from '../../test/eval/print-table.ts'
import { Score, throughProvider } from '../../test/eval/site-scores.ts'
import type { ReadPage } from './pair-models.ts'

/**
 * Prints what the pair models find through the website provider on each set of sites if the whole set is left out of
 * training, so that the set's authors are unknown to the models.
 */
export async function measureFolds(
  pages: readonly ReadPage[],
  train: (pages: readonly ReadPage[]) => PairModels,
): Promise<void> {
  const scores = new Map<string, Score>()
  for (const set of LEARN) {
    const score = new Score()
    scores.set(set, score)
    usePairModels(train(pages.filter(({ page }) => !page.group.startsWith(`${set} `))))
    for (const site of readSites(set)) score.add(site, await throughProvider(site))
  }
  printTable(
    'people, the whole set left out',
    [...scores].map(([set, { people }]): [string, Counts] => [set, people]),
  )
  if (process.argv.includes('--differences'))
    for (const { differences } of scores.values()) console.log(differences.map((line) => `    ${line}`).join('\n'))
}
