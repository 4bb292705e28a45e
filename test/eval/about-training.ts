import { collectEvidence } from '../../src/enrichment/signals/about/about-features.ts'
import type { AboutWeights } from '../../src/enrichment/signals/about/about-model.ts'
import { isLegalForm, nameWords } from '../../src/enrichment/signals/about/company-names.ts'
import type { StoryType } from '../../src/enrichment/signals/classify/model.ts'
import type { GoldAbout } from './gold-about.ts'
import { trainLogisticRegression } from './logistic-regression.ts'

const L2 = 11
const ITERATIONS = 100
/** Minimum number of invented stories, or of sources of published stories, in which a feature occurs. */
const MIN_STORIES = 2
const MIN_SOURCES = 3
/** Weight of invented stories, of published stories about other companies, and of companies with a similar name. */
const INVENTED = 48
const OTHER = 2
const NAMESAKE = 0.4

export interface AboutExample {
  about: boolean
  features: string[]
  weight: number
  /** The publication; null for an invented story. */
  source: string | null
}

export const inventedExample = ({ story, company, about }: GoldAbout, type: StoryType): AboutExample => ({
  about,
  features: collectEvidence(story, company, type).features,
  weight: INVENTED,
  source: null,
})

/**
 * Returns an example for the company of a published story, and one for a company with the same first word. `type` is the
 * most likely type of the story.
 */
export function publishedExamples(
  { story, company, about, source }: GoldAbout & { source: string },
  index: number,
  type: StoryType,
): AboutExample[] {
  const features = collectEvidence(story, company, type).features
  const own = { about, features, weight: about ? 1 : OTHER, source }
  const namesake = about ? namesakeOf(company.names[0] ?? '', `${story.headline} ${story.lead ?? ''}`, index) : null
  if (namesake === null) return [own]
  const other = { domain: 'namesake.example', names: [namesake], places: [] }
  return [own, { about: false, features: collectEvidence(story, other, type).features, weight: NAMESAKE, source }]
}

const LINES = 'Logistics Foods Software Bancorp Pharmaceuticals Mining Insurance Media Robotics Realty'.split(' ')

/** Returns the name of another company with the same first word, if the text contains the company's name in full. */
function namesakeOf(name: string, text: string, index: number): string | null {
  const words = nameWords(name).filter((word) => !isLegalForm(word))
  const line = LINES[index % LINES.length] as string
  const isFull = words.length >= 2 && ` ${nameWords(text).join(' ')} `.includes(` ${words.join(' ')} `)
  return isFull && !text.includes(line) ? `${name.split(' ')[0]} ${line}` : null
}

export function trainAboutWeights(examples: readonly AboutExample[]): AboutWeights {
  const names = frequentFeatures(examples)
  const index = new Map(names.map((name, at) => [name, at]))
  const rows = examples.map(({ about, features, weight }) => {
    const indices = Int32Array.from(features.flatMap((name) => index.get(name) ?? []))
    return { indices, values: new Float64Array(indices.length).fill(1), label: about ? 1 : 0, weight }
  })
  const trained = trainLogisticRegression(rows, {
    features: names.length,
    classes: 2,
    l2: L2,
    iterations: ITERATIONS,
  })
  const weight = (at: number) => Math.round(((trained[at * 2 + 1] as number) - (trained[at * 2] as number)) * 100)
  const features = names.map((name, at) => [name, weight(at)] as const).filter(([, value]) => value !== 0)
  return { bias: weight(names.length), features: Object.fromEntries(features) }
}

/** Features of too few stories are left out, because they would only identify these stories. */
function frequentFeatures(examples: readonly AboutExample[]): string[] {
  const invented = new Map<string, number>()
  const sources = new Map<string, Set<string>>()
  for (const { features, source, weight } of examples) {
    if (weight === NAMESAKE) continue
    for (const name of features) {
      if (source === null) invented.set(name, (invented.get(name) ?? 0) + 1)
      else sources.set(name, (sources.get(name) ?? new Set()).add(source))
    }
  }
  return [...new Set([...invented.keys(), ...sources.keys()])]
    .filter((name) => (invented.get(name) ?? 0) >= MIN_STORIES || (sources.get(name)?.size ?? 0) >= MIN_SOURCES)
    .toSorted()
}
