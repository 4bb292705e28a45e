import { describe, expect, it } from 'vitest'
import { merge } from '../../../src/findings/merge.ts'
import type { CompanyField, Observation } from '../../../src/findings/provider.ts'

const order = ['form-adv', 'website', 'wikidata']
const seen = (
  field: CompanyField,
  value: string | number,
  source: string,
  confidence: number,
  observed_at = '2026-01-01T00:00:00.000000Z',
) => ({ field, value, source, url: null, observed_at, method: 'page', confidence }) as Observation
const winner = (...observations: Observation[]) => {
  const [merged] = merge(observations, order).values()
  return {
    value: merged?.winner.value,
    confidence: Number(merged?.confidence.toFixed(3)),
    losers: merged?.losers.length,
  }
}

describe('merge', () => {
  it('shows the most confident value of a field and keeps the other values', () => {
    expect(winner(seen('name', 'Acme', 'website', 0.6), seen('name', 'Acme LP', 'form-adv', 0.9))).toEqual({
      value: 'Acme LP',
      confidence: 0.9,
      losers: 1,
    })
  })

  it('prefers a value from two agreeing sources to a more confident value from one source', () => {
    const alone = seen('headquarters_city', 'Boston', 'form-adv', 0.85)
    const agreeing = [
      seen('headquarters_city', 'Zürich', 'website', 0.8),
      seen('headquarters_city', 'ZURICH', 'wikidata', 0.7),
    ]
    expect(winner(alone, ...agreeing)).toEqual({ value: 'Zürich', confidence: 0.94, losers: 2 })
  })

  it('prefers a mixed-case spelling of a value to an all-capital spelling', () => {
    const filed = seen('name', 'ACME WEALTH', 'form-adv', 0.95)
    const [said, other] = [seen('name', 'Acme Wealth', 'website', 0.8), seen('name', 'Acme', 'wikidata', 0.5)]
    expect(winner(filed, said, other)).toEqual({ value: 'Acme Wealth', confidence: 0.99, losers: 2 })
    expect(winner(filed, other).value).toBe('ACME WEALTH')
    expect(winner(seen('name', 'ACME', 'form-adv', 0.95), seen('name', 'acme', 'website', 0.8)).value).toBe('ACME')
  })

  it('does not count repeated observations from one source as agreement', () => {
    const repeated = Array.from({ length: 5 }, () => seen('name', 'Akme', 'website', 0.7))
    expect(winner(...repeated, seen('name', 'Acme', 'form-adv', 0.9)).value).toBe('Acme')
  })

  it('uses the source order between values of similar confidence', () => {
    expect(winner(seen('phone', '+12', 'website', 0.91), seen('phone', '+13', 'form-adv', 0.9)).value).toBe('+13')
  })

  it('shows the title of the displayed NAICS code', () => {
    const merged = merge(
      [
        seen('naics_code', '523940', 'form-adv', 0.95),
        seen('naics_title', 'Portfolio Management and Investment Advice', 'form-adv', 0.6),
        seen('naics_code', '541110', 'website', 0.8),
        seen('naics_title', 'Offices of Lawyers', 'website', 0.8),
      ],
      order,
    )
    expect(merged.get('naics_code')?.winner.value).toBe('523940')
    expect(merged.get('naics_title')?.winner.value).toBe('Portfolio Management and Investment Advice')
  })

  it('weights values by age, with a half-life per field', () => {
    const old = '2020-01-01T00:00:00.000000Z'
    expect(
      winner(seen('employee_count', 50, 'form-adv', 0.95, old), seen('employee_count', 80, 'website', 0.7)).value,
    ).toBe(80)
    expect(
      winner(seen('founded_year', 1990, 'form-adv', 0.95, old), seen('founded_year', 1995, 'website', 0.7)).value,
    ).toBe(1990)
  })

  it('uses the newer of two observations from one source', () => {
    const older = seen('name', 'Old Name', 'website', 0.9, '2025-12-01T00:00:00.000000Z')
    expect(winner(older, seen('name', 'New Name', 'website', 0.9)).value).toBe('New Name')
  })

  it('merges observations to the same result in any order', () => {
    const observations = [
      seen('industry', 'Banking', 'website', 0.8),
      seen('industry', 'Finance', 'wikidata', 0.8),
      seen('industry', 'finance', 'form-adv', 0.6),
    ]
    expect(winner(...observations)).toEqual(winner(...observations.toReversed()))
  })

  it('does not combine the street of one office with the city of another', () => {
    const filed = [
      seen('headquarters_city', 'Denver', 'form-adv', 0.95, '2010-01-01T00:00:00.000000Z'),
      seen('headquarters_street', '1 Old Road', 'form-adv', 0.95),
      seen('headquarters_postal_code', '80202', 'form-adv', 0.95),
    ]
    const said = [
      seen('headquarters_city', 'Boulder', 'website', 0.9),
      seen('headquarters_postal_code', '80301', 'website', 0.9),
    ]
    const shown = merge([...filed, ...said], order)
    expect(Object.fromEntries([...shown].map(([field, { winner: one }]) => [field, one.value]))).toEqual({
      headquarters_city: 'Boulder',
      headquarters_postal_code: '80301',
    })
    expect(shown.get('headquarters_postal_code')?.losers.map(({ value }) => value)).toEqual(['80202'])
    expect(merge(filed, order).get('headquarters_street')?.winner.value).toBe('1 Old Road')
  })

  it('shows a headcount only if it is within the displayed range', () => {
    const filed = [seen('employee_count', 340, 'form-adv', 0.7), seen('employee_range', '201-500', 'form-adv', 0.7)]
    const said = seen('employee_range', '51-200', 'website', 0.95)
    expect([...merge([...filed, said], order).keys()]).toEqual(['employee_range'])
    const agreeing = merge([...filed, seen('employee_range', '201-500', 'website', 0.95)], order)
    expect(agreeing.get('employee_count')?.winner.value).toBe(340)
    expect(agreeing.get('employee_range')?.confidence).toBeCloseTo(0.985)
  })

  it('does not age values because of an observation dated in the future', () => {
    const typo = seen('phone', '+12', 'form-adv', 0.6, '2062-01-01T00:00:00.000000Z')
    const said = seen('phone', '+13', 'website', 0.9)
    expect(merge([typo, said], order, '2026-01-02T00:00:00.000000Z').get('phone')?.winner.value).toBe('+13')
  })

  it('prefers an older value only if its confidence is much higher', () => {
    const lastYear = '2025-01-01T00:00:00.000000Z'
    expect(winner(seen('phone', '+12', 'form-adv', 0.95, lastYear), seen('phone', '+13', 'website', 0.6)).value).toBe(
      '+12',
    )
    expect(winner(seen('phone', '+12', 'website', 0.9, lastYear), seen('phone', '+13', 'website', 0.9)).value).toBe(
      '+13',
    )
  })

  it('merges no observations to no fields', () => {
    expect(merge([], order).size).toBe(0)
  })
})
