import type { Seniority } from '../../../contract/person-values.ts'
import type { Department } from './classify-department.ts'
import { classifyDepartment } from './classify-department.ts'
import { classifySeniority } from './classify-seniority.ts'

/** Seniority and department in a title; null if the title does not indicate them. */
export interface TitleClass {
  seniority: Seniority | null
  department: Department | null
}

/** Classifies a job title as written, in English and, for the most common titles, in other languages. */
export function classifyTitle(title: string): TitleClass {
  return { seniority: classifySeniority(title), department: classifyDepartment(title) }
}
