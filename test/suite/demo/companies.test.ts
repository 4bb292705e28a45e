import { describe, expect, it } from 'vitest'
import { generateCompanies } from '../../../src/demo/companies.ts'

const today = new Date('2026-03-01T00:00:00Z')

describe('generateCompanies', () => {
  it('generates the same demo companies for the same seed, and different ones for another seed', () => {
    expect(generateCompanies(1, 40, today)).toEqual(generateCompanies(1, 40, today))
    expect(generateCompanies(2, 40, today)[0]?.people).not.toEqual(generateCompanies(1, 40, today)[0]?.people)
  })

  it('generates the same first demo companies for a longer list', () => {
    expect(generateCompanies(1, 60, today).slice(0, 40)).toEqual(generateCompanies(1, 40, today))
  })

  it('generates 10,000 unique .example domains', () => {
    const domains = generateCompanies(7, 10_000, today).map(({ domain }) => domain)
    expect(new Set(domains).size).toBe(10_000)
    expect(domains.filter((domain) => !/^[a-z0-9-]+\.example$/.test(domain))).toEqual([])
  })

  it('generates people, and stories within the year before today', () => {
    const companies = generateCompanies(1, 200, today)
    const stories = companies.flatMap((company) => company.stories)
    expect(new Set(stories.map(({ type }) => type)).size).toBe(11)
    for (const { date } of stories) expect(date >= '2025-03-01' && date < '2026-03-01').toBe(true)
    for (const { people, employee_count } of companies) {
      expect(new Set(people.map(({ full_name }) => full_name)).size).toBe(people.length)
      expect(employee_count).toBeGreaterThanOrEqual(people.length)
    }
  })
})
