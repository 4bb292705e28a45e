import type { Seniority } from '../../../contract/person-values.ts'
import type { Department } from './classify-department.ts'
import { classifyDepartment } from './classify-department.ts'
import { classifySeniority, hasSureRole } from './classify-seniority.ts'
import { estimateTitle } from './title-models.ts'

/** The seniority and department that a title indicates; null if it indicates none. */
export interface TitleClass {
  seniority: Seniority | null
  department: Department | null
}

/**
 * Minimum probabilities of an estimated class. In English, the rules miss few departments, so most titles in which they
 * find none have none.
 */
const MINIMUM = { seniority: 0.35, department: 0.3, englishDepartment: 0.6 }
/**
 * Minimum probability of a seniority that contradicts the rules for a title in another language than English. The rules
 * know which heads of functions are executives (`Directeur financier`).
 */
const OVERRULING = 0.9
/** Minimum probability of English. Names of functions are often English in other languages. */
const ENGLISH = 0.3

/**
 * Classifies a job title as published, in any language. The rules decide English titles and the departments that they
 * know. The models decide the seniority in other languages, and titles in which the rules find nothing, or only the
 * ending of an occupation.
 */
export function classifyTitle(title: string): TitleClass {
  const seniority = classifySeniority(title)
  const department = classifyDepartment(title)
  if (!/\p{L}/u.test(title)) return { seniority, department }
  const estimate = estimateTitle(title)
  const isEnglish = estimate.english >= ENGLISH
  const isSure = seniority !== null && (seniority !== 'staff' || hasSureRole(title))
  const minimum = isSure
    ? isEnglish || seniority === 'executive'
      ? Number.POSITIVE_INFINITY
      : OVERRULING
    : MINIMUM.seniority
  const isProbable = estimate.department.probability >= (isEnglish ? MINIMUM.englishDepartment : MINIMUM.department)
  return {
    seniority: estimate.seniority.probability >= minimum ? (estimate.seniority.value ?? seniority) : seniority,
    department: department ?? (isProbable ? estimate.department.value : null),
  }
}
