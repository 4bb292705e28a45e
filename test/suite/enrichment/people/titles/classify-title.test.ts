import { expect, test } from 'vitest'
import { classifyTitle } from '../../../../../src/enrichment/people/titles/classify-title.ts'
import { scoreTitles } from '../../../../eval/titles.ts'

test('on titles held out of the rules, seniority is right in 95 % and department in 90 %', () => {
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
  ['المدير المالي', 'manager', 'finance'],
  ['Verkställande direktör', 'executive', 'executive'],
  ['Kaufmännische Leiterin', 'director', 'finance'],
  ['Managing Trustee', 'executive', 'executive'],
])('%s', (title, seniority, department) => expect(classifyTitle(title)).toEqual({ seniority, department }))

test('words that are no title say nothing', () => {
  expect(classifyTitle('Since 1998')).toEqual({ seniority: null, department: null })
  expect(classifyTitle('')).toEqual({ seniority: null, department: null })
})
