import type { TreeModel } from '../../src/enrichment/classifier/trees.ts'
import type { Decide } from '../../src/enrichment/company/facts/decide.ts'
import type { IndustryCandidate } from '../../src/enrichment/company/facts/industry.ts'
import type { DescribedPhrase } from '../../src/enrichment/company/facts/rank-phrases.ts'
import { describePhrases } from '../../src/enrichment/company/facts/rank-phrases.ts'
import type { SiteText } from '../../src/enrichment/company/facts/site-text.ts'
import { fold } from '../../test/eval/fold.ts'
import { acceptedOf } from '../../test/eval/gold-sites.ts'
import { trainTrees } from './boosted-trees.ts'
import { learnSites, namedPhrases } from './company-fact-examples.ts'
import { describedSites } from './described-sites.ts'
import { candidatesOf } from './industry-examples.ts'

/** A site whose phrases are ranked. */
interface PhraseSite {
  group: string
  site: SiteText
  name: string | undefined
  candidates: readonly IndustryCandidate[]
  accepted: readonly string[]
}

/** The described phrases of a site, and whether they are accepted. */
export interface RankingExample {
  group: string
  phrases: readonly (DescribedPhrase & { isAccepted: boolean })[]
}

/** Chosen on sets left out of training. */
const OPTIONS = { trees: 200, depth: 6, rate: 0.05, minimum: 3, l2: 4, share: 0.5 }
/** Minimum number of phrases that have a feature. */
const MIN_COUNT = 150

/** Returns the gold sites with a stated business, and the handwritten ones. */
function phraseSites(decideFor: (group: string) => Decide): PhraseSite[] {
  return [
    ...learnSites().flatMap((one) => {
      const accepted = acceptedOf(one.fields['industry']).map(fold)
      return accepted.length === 0 ? [] : [{ ...one, ...namedPhrases(one, decideFor(one.group)), accepted }]
    }),
    ...describedSites().map((one, at) => ({
      group: one.group,
      name: one.name,
      ...candidatesOf(one, at % 2 === 0),
      accepted: one.industries.map(fold),
    })),
  ]
}

/**
 * Describes the phrases of all sites. `decideFor` returns models that were trained without the group, because the
 * probabilities of training examples are too high.
 */
export const rankingExamples = (decideFor: (group: string) => Decide): RankingExample[] =>
  phraseSites(decideFor).map(({ group, site, name, candidates, accepted }) => ({
    group,
    phrases: describePhrases(site, name, candidates, decideFor(group)).map((one) => ({
      ...one,
      isAccepted: accepted.includes(fold(one.phrase)),
    })),
  }))

/** Trains the model that ranks phrases. */
export function trainRanking(examples: readonly RankingExample[]): TreeModel {
  const phrases = examples.flatMap((one) => one.phrases)
  const counts = new Map<string, number>()
  for (const { values } of phrases)
    for (const feature of Object.keys(values)) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  const features = [...counts].flatMap(([feature, count]) => (count >= MIN_COUNT ? [feature] : []))
  return trainTrees(
    phrases.map(({ values, isAccepted }) => ({
      values: features.map((feature) => values[feature] ?? 0),
      label: isAccepted ? 1 : 0,
      weight: 1,
    })),
    features,
    OPTIONS,
  )
}
