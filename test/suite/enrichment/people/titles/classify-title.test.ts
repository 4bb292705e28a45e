import { expect, test } from 'vitest'
import { classifyTitle } from '../../../../../src/enrichment/people/titles/classify-title.ts'
import { scoreTitles } from '../../../../eval/titles.ts'

test('classifies at least 95 % of seniorities and 90 % of departments on held-out titles', () => {
  const { titles, seniority, department } = scoreTitles('held-out')
  expect(titles).toBeGreaterThanOrEqual(500)
  expect(seniority).toBeGreaterThanOrEqual(0.95)
  expect(department).toBeGreaterThanOrEqual(0.9)
})

test.each([
  ['Founder & CEO', 'executive', 'executive'],
  ['PRESIDENT AND CHIEF COMPLIANCE OFFICER', 'executive', 'executive'],
  ['Executive Assistant to the CEO', 'staff', 'administration'],
  ['Vice President of Sales', 'vice_president', 'sales'],
  ['Sr. VP, Mktg', 'vice_president', 'marketing'],
  ['Head of Research & Development', 'director', 'research'],
  ['Leiter Einkauf', 'director', 'operations'],
  ['代表取締役社長', 'executive', 'executive'],
  ['Генеральный директор', 'executive', 'executive'],
  ['营销总监', 'director', 'marketing'],
  ['Финансовый директор', 'director', 'finance'],
  ['المدير المالي', 'director', 'finance'],
  ['Verkställande direktör', 'executive', 'executive'],
  ['Kaufmännische Leiterin', 'director', 'finance'],
  ['Managing Trustee', 'executive', 'executive'],
  ['Managing Director', 'executive', 'executive'],
  ['Managing Director, Private Equity', 'director', 'investment'],
  ['Managing Director, EMEA', 'director', 'executive'],
  ['Executive Director – Marketing', 'director', 'marketing'],
  ['Managing Director & CFO', 'executive', 'finance'],
  // Titles that no rule knows, and that are not among the training titles.
  ['Salgssjef Norden', 'director', 'sales'],
  ['Ügyvezető igazgató asszony', 'executive', 'executive'],
  ['Kierowniczka magazynu głównego', 'manager', 'operations'],
  ['Trưởng phòng kinh doanh miền Nam', 'director', 'sales'],
  ['Stagiair magazijn', 'junior', 'operations'],
  ['Verpleegkundige nachtdienst', 'staff', 'healthcare'],
  ['Daglig leder, tømrermester', 'executive', 'executive'],
  ['VD & kvalitetschef', 'executive', 'executive'],
  ['Quality Assurance Lead', 'senior', 'operations'],
  ['Consultant Cardiologist', 'senior', 'healthcare'],
  ['Consultant in Geriatric Medicine', 'senior', 'healthcare'],
  ['Network Engineer', 'staff', 'information_technology'],
  ['Export Manager, South America', 'manager', 'sales'],
  ['Load Planner', 'staff', 'operations'],
  ['Transit Planner', 'staff', 'engineering'],
  ['Maestro cervecero', 'senior', 'operations'],
  ['Rédactrice en chef', 'director', 'marketing'],
  ['Directeur administratif et financier', 'executive', 'finance'],
  ['Vice-présidente du conseil de surveillance', 'board', 'executive'],
  ['Honorary Treasurer', 'board', 'finance'],
  ['Editor-in-Chief', 'director', 'marketing'],
])('classifies the title %s', (title, seniority, department) =>
  expect(classifyTitle(title)).toEqual({ seniority, department }))

test('returns no seniority and department for words that are not a title', () => {
  expect(classifyTitle('Since 1998')).toEqual({ seniority: null, department: null })
  expect(classifyTitle('')).toEqual({ seniority: null, department: null })
})
