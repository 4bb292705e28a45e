import type { Seniority } from '../../../contract/person-values.ts'
import type { Department } from './classify-department.ts'
import { classifyDepartment } from './classify-department.ts'
import { classifySeniority } from './classify-seniority.ts'

/** The seniority and department that a title indicates; null if it indicates none. */
export interface TitleClass {
  seniority: Seniority | null
  department: Department | null
}

/** Classifies a job title as published. Supports English titles, and common titles in other languages. */
export function classifyTitle(title: string): TitleClass {
  return { seniority: classifySeniority(title), department: classifyDepartment(title) }
}
