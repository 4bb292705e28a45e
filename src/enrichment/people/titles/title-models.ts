import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import type { Seniority } from '../../../contract/person-values.ts'
import { SENIORITIES } from '../../../contract/person-values.ts'
import type { ClassifierWeights } from '../../classifier/classifier.ts'
import { createClassifier } from '../../classifier/classifier.ts'
import type { Department } from './classify-department.ts'
import { DEPARTMENTS } from './classify-department.ts'
import { titleFeatures } from './title-features.ts'

/** The classes of both models. A title of class `none` indicates no seniority or department. */
export const SENIORITY_CLASSES = [...SENIORITIES, 'none'] as const
export const DEPARTMENT_CLASSES = [...DEPARTMENTS, 'none'] as const

/** Both models' weights. `npm run generate -- titles` writes them. */
export interface TitleWeights {
  seniority: ClassifierWeights
  department: ClassifierWeights
}

/**
 * Minimum probabilities of a class. In cross-validation, 0.80 of the seniorities and 0.81 of the departments above them
 * were right.
 */
const MINIMUM = { seniority: 0.5, department: 0.4 }

const classifiersOf = ({ seniority, department }: TitleWeights) => ({
  seniority: createClassifier(SENIORITY_CLASSES, seniority),
  department: createClassifier(DEPARTMENT_CLASSES, department),
})
let classifiers = classifiersOf(
  JSON.parse(readFileSync(new URL('weights-titles.json', import.meta.url), 'utf8')) as TitleWeights,
)
const recent = new LRUCache<string, { seniority: Seniority | null; department: Department | null }>({ max: 20_000 })

/** Replaces the models, to measure them on titles that they were not trained on. */
export function useTitleModels(weights: TitleWeights): void {
  classifiers = classifiersOf(weights)
  recent.clear()
}

/**
 * Classifies a title in any language by the letters of its words. Returns null for a class that is less likely than its
 * minimum probability.
 */
export function estimateTitleClass(title: string): { seniority: Seniority | null; department: Department | null } {
  const known = recent.get(title)
  if (known) return known
  const features = titleFeatures(title)
  const estimate = {
    seniority: likeliest(classifiers.seniority(features), MINIMUM.seniority),
    department: likeliest(classifiers.department(features), MINIMUM.department),
  }
  recent.set(title, estimate)
  return estimate
}

function likeliest<Class extends string>(
  probabilities: Readonly<Record<Class, number>>,
  minimum: number,
): Exclude<Class, 'none'> | null {
  const [best, share] = (Object.entries(probabilities) as [Class, number][]).reduce((one, other) =>
    other[1] > one[1] ? other : one,
  )
  return best === 'none' || share < minimum ? null : (best as Exclude<Class, 'none'>)
}
