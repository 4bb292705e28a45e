import type { Seniority } from '../../../contract/person-values.ts'
import type { Department } from './classify-department.ts'
import { classifyDepartment } from './classify-department.ts'
import { classifySeniority, hasSureRole } from './classify-seniority.ts'
import { estimateTitleClass } from './title-models.ts'

/** The seniority and department that a title indicates; null if it indicates none. */
export interface TitleClass {
  seniority: Seniority | null
  department: Department | null
}

/**
 * Classifies a job title as published, in any language. Models decide if the rules find no seniority, or only the ending
 * of an occupation.
 */
export function classifyTitle(title: string): TitleClass {
  const seniority = classifySeniority(title)
  const department = classifyDepartment(title)
  if (!/\p{L}/u.test(title) || (seniority !== null && (seniority !== 'staff' || hasSureRole(title))))
    return { seniority, department }
  const estimate = estimateTitleClass(title)
  return { seniority: estimate.seniority ?? seniority, department: department ?? estimate.department }
}
