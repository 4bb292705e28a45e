import type { SignalObservation } from '../provider.ts'
import type { CompanyIdentity } from './about-company.ts'
import { ABOUT_THRESHOLD, judgeAbout } from './about-company.ts'
import { classifyStory, DEFAULT_THRESHOLD } from './classify.ts'
import { foldSignals } from './fold-signals.ts'
import { ownNameMask } from './mask-own-name.ts'
import type { Model } from './model.ts'
import type { SecondOpinion } from './second-opinion.ts'
import type { Story, StoryMethod } from './story.ts'

export interface FindSignalsOptions {
  company: CompanyIdentity
  /** The provider's name, for the evidence. */
  source: string
  method: StoryMethod
  /** Are these the company's own words: its feed, its newsroom? */
  own: boolean
  /** When the source was read: ISO 8601. */
  observedAt: string
  /** @default DEFAULT_THRESHOLD */
  threshold?: number
  model?: Model
  /** Stories dated before this day are left out: YYYY-MM-DD. */
  since?: string
}

/** The signals among the stories of one source: each of a type, about this company, and told once. Newest first. */
export function findSignals(stories: readonly Story[], options: FindSignalsOptions): SignalObservation[] {
  const mask = ownNameMask(options.company.names)
  const found = relevantStories(stories, options).flatMap((story) => {
    const { likeliest, confidence } = classifyStory({ ...story, headline: mask(story.headline) }, options)
    return toSignal(story, likeliest, confidence, options)
  })
  return fold(found, options)
}

/** As findSignals, with another judge asked about the stories whose type is uncertain. */
export async function findSignalsWithSecondOpinion(
  stories: readonly Story[],
  options: FindSignalsOptions & { secondOpinion: SecondOpinion; signal: AbortSignal },
): Promise<SignalObservation[]> {
  const relevant = relevantStories(stories, options)
  const mask = ownNameMask(options.company.names)
  const judged = await options.secondOpinion.judge(
    relevant.map((story) => ({
      story,
      first: classifyStory({ ...story, headline: mask(story.headline) }, options),
    })),
    options.signal,
  )
  const found = judged.flatMap(({ likeliest, confidence }, index) =>
    toSignal(relevant[index] as Story, likeliest, confidence, options),
  )
  return fold(found, options)
}

function relevantStories(stories: readonly Story[], { company, own, since = '' }: FindSignalsOptions): Story[] {
  return stories.filter(
    (story) => (story.date ?? '9999') >= since && judgeAbout(story, company, { own }).confidence >= ABOUT_THRESHOLD,
  )
}

function toSignal(
  story: Story,
  type: ReturnType<typeof classifyStory>['likeliest'],
  typeConfidence: number,
  { company, own, source, method, observedAt, threshold = DEFAULT_THRESHOLD }: FindSignalsOptions,
): SignalObservation[] {
  if (type === 'none' || typeConfidence < threshold) return []
  const about = judgeAbout(story, company, { own })
  const confidence = Number((typeConfidence * about.confidence).toFixed(3))
  const evidence = { source, url: story.url, observed_at: observedAt, method, confidence }
  return [{ ...evidence, type, headline: story.headline, date: story.date, about: about.reason }]
}

function fold(signals: SignalObservation[], { company }: FindSignalsOptions): SignalObservation[] {
  return foldSignals(signals, { names: company.names, ownDomain: company.domain })
}
