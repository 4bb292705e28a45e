import type { Calibration } from '../../src/enrichment/people/models/calibration.ts'
import { usePairModels } from '../../src/enrichment/people/page/page-people.ts'
import { calibrationError } from '../../test/eval/emails.ts'
import { LEARN, readSites } from '../../test/eval/gold-sites.ts'
import { printTable } from '../../test/eval/print-table.ts'
import { Score, throughProvider } from '../../test/eval/site-scores.ts'
import type { ContextModels } from './context-models.ts'
import { foldOf, useContextModels } from './context-models.ts'
import type { TrainedPairs } from './pair-models.ts'

/**
 * Prints what the models find through the website provider on the sets of sites that they were trained without.
 * `contextOf` returns the models of texts that were trained without a fold.
 */
export async function measureFolds(
  folds: readonly TrainedPairs[],
  contextOf: (fold: number) => ContextModels,
  calibration: Calibration,
): Promise<void> {
  const scores: [string, Score][] = []
  for (const [fold, models] of folds.entries()) {
    useContextModels(contextOf(fold))
    usePairModels({ ...models, calibration })
    for (const set of LEARN.filter((set) => foldOf(set) === fold)) {
      const score = new Score()
      scores.push([set, score])
      for (const site of readSites(set)) score.add(site, await throughProvider(site))
    }
  }
  printTable(
    'people, the whole set left out',
    scores.map(([set, { people }]) => [set, people]),
  )
  const sums = [...scores, ['all', undefined] as const].map(([set, score]) => {
    const answers = score ? score.answers.people : scores.flatMap(([, one]) => one.answers.people)
    return `${set} ${calibrationError(answers).toFixed(3)}`
  })
  console.log(`calibration error: ${sums.join(', ')}`)
  if (process.argv.includes('--differences'))
    for (const [, { differences }] of scores) console.log(differences.map((line) => `    ${line}`).join('\n'))
}
