/** Trains the models of short texts, of headings and of the words around names, on which the pair models are built. */
import type { ClassifierWeights } from '../../src/enrichment/classifier/classifier.ts'
import {
  MENTION_BUCKETS,
  MENTION_KINDS,
  mentionFeatures,
  useMentionModel,
} from '../../src/enrichment/people/models/classify-mention.ts'
import { SECTION_KINDS, useSectionModel } from '../../src/enrichment/people/models/classify-section.ts'
import { TEXT_KINDS, useTextModel } from '../../src/enrichment/people/models/classify-text.ts'
import { LEARN, readSites } from '../../test/eval/gold-sites.ts'
import { trainClassifier } from './classifiers.ts'
import type { SiteTexts } from './site-texts.ts'
import { textsOfSite } from './site-texts.ts'
import { sectionExamples, textExamples } from './text-examples.ts'
import { trainTextModel } from './text-models.ts'
import type { Half } from './words.ts'

export interface ContextModels {
  texts: ClassifierWeights
  sections: ClassifierWeights
  mentions: ClassifierWeights
}

/** How often the texts and the headings of each site count, compared with those of the word lists. */
const TEXT_TIMES = 2
const SECTION_TIMES = 3
const MENTION_OPTIONS = { features: MENTION_BUCKETS, l2: 1, iterations: 60 }

/** Number of folds of sets. Each fold consists of whole sets, so that the sets' authors are unknown to its models. */
export const FOLDS = 4

/** Returns the fold of a set; 0 for pages that belong to no set. */
export const foldOf = (set = ''): number => Math.max(0, (LEARN as readonly string[]).indexOf(set)) % FOLDS

export function useContextModels({ texts, sections, mentions }: ContextModels): void {
  useTextModel(texts)
  useSectionModel(sections)
  useMentionModel(mentions)
}

/**
 * Reads the sites' texts with models that do not know the sites, and returns a function that trains the models on one
 * half of the word lists, or both, and on the sites of all folds but one.
 */
export function readContexts(): (half: Half, except?: number) => ContextModels {
  const texts = trainTextModel(TEXT_KINDS, textExamples('first'))
  const sections = trainTextModel(SECTION_KINDS, sectionExamples('first'))
  useTextModel(texts)
  useSectionModel(sections)
  const read = LEARN.map((set) => ({ fold: foldOf(set), sites: readSites(set).map(textsOfSite) }))
  return (half, except) => {
    const sites = read.filter(({ fold }) => fold !== except).flatMap(({ sites }) => sites)
    const all = <Key extends keyof SiteTexts>(key: Key, times: number): SiteTexts[Key][number][] =>
      Array.from({ length: times }, () => sites.flatMap((site): SiteTexts[Key][number][] => site[key])).flat()
    return {
      texts: trainTextModel(TEXT_KINDS, [...textExamples(half), ...all('texts', TEXT_TIMES)], texts.temperature),
      sections: trainTextModel(
        SECTION_KINDS,
        [...sectionExamples(half), ...all('sections', SECTION_TIMES)],
        sections.temperature,
      ),
      mentions: trainClassifier(
        MENTION_KINDS,
        all('mentions', 1).map(({ mention, kind }) => ({ buckets: mentionFeatures(mention), kind })),
        MENTION_OPTIONS,
      ),
    }
  }
}
