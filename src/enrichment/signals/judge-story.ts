import type { AboutVerdict } from './about/about-company.ts'
import { judgeAbout } from './about/about-company.ts'
import type { CompanyIdentity } from './about/company-names.ts'
import { nameVariants } from './about/company-names.ts'
import type { Classification, ClassifyOptions } from './classify/classify.ts'
import { classifyStory } from './classify/classify.ts'
import { maskNames } from './mask-names.ts'
import type { Story } from './stories/story.ts'

/** The type of a story and its relevance for one company. */
export interface StoryVerdict {
  classification: Classification
  about: AboutVerdict
}

/**
 * Judges a story for one company. The company's names are masked for the classifier, and the relevance check depends
 * on the most likely type.
 */
export function judgeStory(
  story: Story,
  company: CompanyIdentity,
  { own = false, ...options }: ClassifyOptions & { own?: boolean } = {},
): StoryVerdict {
  const classification = classifyStory(maskNames(story, nameVariants(company.names)), options)
  return { classification, about: judgeAbout(story, company, { type: classification.likeliest, own }) }
}
