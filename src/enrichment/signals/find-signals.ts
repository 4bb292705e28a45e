import type { SignalObservation } from '../../findings/provider.ts'
import type { CompanyIdentity } from './about/company-names.ts'
import type { Model } from './classify/model.ts'
import { foldSignals } from './fold-signals.ts'
import type { StoryVerdict } from './judge-story.ts'
import { judgeStory } from './judge-story.ts'
import type { SecondOpinion } from './second-opinion.ts'
import type { Story, StoryMethod } from './stories/story.ts'
import { notInFuture } from './stories/story-date.ts'

export interface FindSignalsOptions {
  company: CompanyIdentity
  /** The provider's name. */
  source: string
  method: StoryMethod
  /** Whether the stories come from the company's own feed or newsroom. */
  own: boolean
  /** Time at which the source was read: ISO 8601. */
  observedAt: string
  /** Minimum probability of the type. By default, each type has the threshold of the model. */
  threshold?: number
  model?: Model
  /** Stories dated before this day (YYYY-MM-DD) are skipped. */
  since?: string
}

/** Returns the signals about the company in one source's stories, without duplicates and newest first. */
export function findSignals(stories: readonly Story[], options: FindSignalsOptions): SignalObservation[] {
  const found = relevantStories(stories, options).flatMap((story) => toSignal(story, options))
  return fold(found, options)
}

/** Like `findSignals`, but requests a second opinion on stories of uncertain type. */
export async function findSignalsWithSecondOpinion(
  stories: readonly Story[],
  options: FindSignalsOptions & { secondOpinion: SecondOpinion; signal: AbortSignal },
): Promise<SignalObservation[]> {
  const relevant = relevantStories(stories, options)
  const judged = await options.secondOpinion.judge(
    relevant.map(({ story, classification }) => ({ story, first: classification })),
    options.signal,
  )
  const found = judged.flatMap((classification, index) =>
    toSignal({ ...(relevant[index] as JudgedStory), classification }, options),
  )
  return fold(found, options)
}

interface JudgedStory extends StoryVerdict {
  story: Story
}

function relevantStories(stories: readonly Story[], options: FindSignalsOptions): JudgedStory[] {
  const { company, observedAt, since = '' } = options
  return stories
    .map((story) => ({ ...story, date: notInFuture(story.date, observedAt) }))
    .filter(({ date }) => (date ?? '9999') >= since)
    .map((story) => ({ story, ...judgeStory(story, company, options) }))
    .filter(({ about }) => about.about)
}

function toSignal(
  { story, classification: { type, confidence: typeConfidence }, about }: JudgedStory,
  { source, method, observedAt }: FindSignalsOptions,
): SignalObservation[] {
  if (type === 'none') return []
  const confidence = Number((typeConfidence * about.confidence).toFixed(3))
  const evidence = { source, url: story.url, observed_at: observedAt, method, confidence }
  return [{ ...evidence, type, headline: story.headline, date: story.date, about: about.reason }]
}

function fold(signals: SignalObservation[], { company }: FindSignalsOptions): SignalObservation[] {
  return foldSignals(signals, { names: company.names, ownDomain: company.domain })
}
