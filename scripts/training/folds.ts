import { choosePeople, scorePairs } from '../../src/enrichment/people/page/page-people.ts'
import type { Answer } from './calibrate.ts'
import { FOLDS, foldOf } from './context-models.ts'
import type { ReadPage, TrainedPairs } from './pair-models.ts'
import { trainPairs } from './pair-models.ts'

const isIn = ({ page: { set } }: ReadPage, fold: number): boolean => set !== undefined && foldOf(set) === fold

/** Trains models for each fold of sets, without the pages of its sites. */
export const trainFolds = (pages: readonly ReadPage[]): TrainedPairs[] =>
  Array.from({ length: FOLDS }, (_, fold) => trainPairs(pages.filter((page) => !isIn(page, fold))))

/** Returns the probabilities of the people chosen on the pages that were left out of training. */
export const answersOf = (folds: readonly TrainedPairs[], pages: readonly ReadPage[]): Answer[] =>
  folds.flatMap((models, fold) =>
    pages
      .filter((page) => isIn(page, fold))
      .flatMap(({ pairs, labels }) => {
        const labelOf = new Map(pairs.map((pair, at) => [pair, labels[at]]))
        return choosePeople(scorePairs(pairs, models)).map(({ pair, probability }) => ({
          probability,
          right: labelOf.get(pair) === 1,
        }))
      }),
  )
