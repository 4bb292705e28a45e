import type { Seniority } from '../../../contract/persons.ts'
import type { Department } from './classify-department.ts'
import { classifyDepartment } from './classify-department.ts'
import { classifySeniority } from './classify-seniority.ts'

/** What a title says about a person; null where it says nothing. */
export interface TitleClass {
  seniority: Seniority | null
  department: Department | null
}

/**
 * Reads seniority and department from a job title as written, in English and the most common titles of other languages.
 */
export function classifyTitle(title: string): TitleClass {
  return { seniority: classifySeniority(title), department: classifyDepartment(title) }
}
