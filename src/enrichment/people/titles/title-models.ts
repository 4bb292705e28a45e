import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import type { Seniority } from '../../../contract/person-values.ts'
import { SENIORITIES } from '../../../contract/person-values.ts'
import type { ClassifierWeights, Probabilities } from '../../classifier/classifier.ts'
import { createClassifier } from '../../classifier/classifier.ts'
import type { Department } from './classify-department.ts'
import { DEPARTMENTS } from './classify-department.ts'
import { titleFeatures } from './title-features.ts'

/** The classes of the models. A title of class `none` indicates no seniority or department. */
export const SENIORITY_CLASSES = [...SENIORITIES, 'none'] as const
export const DEPARTMENT_CLASSES = [...DEPARTMENTS, 'none'] as const
export const LANGUAGE_CLASSES = ['english', 'other'] as const

/** The weights of the models. `npm run generate -- titles` writes them. */
export interface TitleWeights {
  language: ClassifierWeights
  seniority: ClassifierWeights
  department: ClassifierWeights
}

/** A class with its probability; null if the title indicates none. */
export interface Estimate<Class> {
  value: Class | null
  probability: number
}

interface TitleEstimate {
  /** Probability that the title is in English. */
  english: number
  seniority: Estimate<Seniority>
  department: Estimate<Department>
}

const classifiersOf = ({ language, seniority, department }: TitleWeights) => ({
  language: createClassifier(LANGUAGE_CLASSES, language),
  seniority: createClassifier(SENIORITY_CLASSES, seniority),
  department: createClassifier(DEPARTMENT_CLASSES, department),
})
let classifiers: ReturnType<typeof classifiersOf> | undefined
const load = (): ReturnType<typeof classifiersOf> => {
  classifiers ??= classifiersOf(
    JSON.parse(readFileSync(new URL('weights-titles.json', import.meta.url), 'utf8')) as TitleWeights,
  )
  return classifiers
}
const recent = new LRUCache<string, TitleEstimate>({ max: 20_000 })

/** Replaces the models, to measure them on titles that they were not trained on. */
export function useTitleModels(weights: TitleWeights): void {
  classifiers = classifiersOf(weights)
  recent.clear()
}

/** Matches what separates the positions in a title: `VD och ägare`, `Geschäftsleiter, dipl. Zimmermeister`. */
const BETWEEN_POSITIONS = /\s*[,;/|•·&+]\s*|\s+(?:[-–—]|and|und|och|og|ja|et|en|y|e|i|și|ve)\s+/u
/** Minimum probability of a position that ranks higher than the title as a whole. */
const SURE_POSITION = 0.8

/**
 * Estimates the most probable classes of a title in any language by the letters of its words. If a title names several
 * positions, the most senior one counts, and the first of them that indicates a department.
 */
export function estimateTitle(title: string): TitleEstimate {
  const known = recent.get(title)
  if (known) return known
  const parts = title.split(BETWEEN_POSITIONS).filter(Boolean)
  const estimate = parts.length > 1 ? estimatePositions(title, parts) : estimateText(title)
  recent.set(title, estimate)
  return estimate
}

function estimatePositions(title: string, parts: readonly string[]): TitleEstimate {
  const whole = estimateText(title)
  const positions = parts
    .map(estimateText)
    .filter(({ seniority }) => seniority.probability >= SURE_POSITION)
    .toSorted((one, other) => rankOf(one) - rankOf(other))
  const [highest] = positions
  if (!highest || rankOf(highest) >= rankOf(whole)) return whole
  const { department } = positions.find((one) => one.department.value !== null) ?? highest
  return { english: whole.english, seniority: highest.seniority, department }
}

const rankOf = ({ seniority }: TitleEstimate): number =>
  seniority.value === null ? SENIORITIES.length : SENIORITIES.indexOf(seniority.value)

function estimateText(text: string): TitleEstimate {
  const features = titleFeatures(text)
  const { language, seniority, department } = load()
  return {
    english: language(features).english,
    seniority: likeliest(seniority(features)),
    department: likeliest(department(features)),
  }
}

function likeliest<Class extends string>(probabilities: Probabilities<Class | 'none'>): Estimate<Class> {
  const [best, probability] = (Object.entries(probabilities) as [Class | 'none', number][]).reduce((one, other) =>
    other[1] > one[1] ? other : one,
  )
  return { value: best === 'none' ? null : (best as Class), probability }
}
