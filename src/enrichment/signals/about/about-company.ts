import type { StoryType } from '../classify/model.ts'
import type { Story } from '../stories/story.ts'
import type { AboutEvidence } from './about-features.ts'
import { collectEvidence } from './about-features.ts'
import { aboutProbability, aboutWeights } from './about-model.ts'
import type { CompanyIdentity } from './company-names.ts'
import { nameVariants } from './company-names.ts'
import { wordsOf } from './headline-words.ts'
import { findName } from './name-mention.ts'

export interface AboutVerdict {
  about: boolean
  /** Probability that the company is a main party of the story. */
  confidence: number
  /** Human-readable explanation. */
  reason: string
}

/** Minimum confidence at which a story is about the company. */
export const ABOUT_THRESHOLD = 0.58

const verdict = (confidence: number, reason: string): AboutVerdict => ({
  about: confidence >= ABOUT_THRESHOLD,
  confidence,
  reason,
})

/**
 * Decides whether the company is a main party of the story, rather than mentioned in passing or confused with another
 * company of the same name. `type` is the most likely type of the story. Stories from the company's own feed or newsroom
 * (`own`) are always about the company.
 */
export function judgeAbout(
  story: Story,
  company: CompanyIdentity,
  { type, own = false }: { type: StoryType; own?: boolean },
): AboutVerdict {
  if (own) {
    return findName(wordsOf(story.headline), nameVariants(company.names))
      ? verdict(0.98, `name in the headline, on the company's own site ${company.domain}`)
      : verdict(0.93, `published on the company's own site ${company.domain}`)
  }
  const evidence = collectEvidence(story, company, type)
  if (!evidence.headline && !evidence.lead) return verdict(0.02, 'not mentioned')
  const confidence = Number(aboutProbability(aboutWeights(), evidence.features).toFixed(3))
  return verdict(confidence, confidence >= ABOUT_THRESHOLD ? explain(evidence) : explainDoubt(evidence, company))
}

function explain({ headline, lead, corroboration }: AboutEvidence): string {
  const where = headline ? 'name in the headline' : lead?.at === 0 ? 'named first in the lead' : 'name in the lead'
  return corroboration ? `${where}, ${corroboration.reason}` : where
}

function explainDoubt({ headline, lead, corroboration }: AboutEvidence, { domain }: CompanyIdentity): string {
  const doubt = headline?.doubt ?? lead?.doubt
  if (doubt) return doubt.reason
  const { words, weight } = (headline ?? lead)?.variant ?? { words: [], weight: 'full' }
  return weight === 'common' && !corroboration
    ? `"${words.join(' ')}" is a common name without a reference to ${domain}`
    : 'mentioned only in passing'
}
