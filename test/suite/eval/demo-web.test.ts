import { describe, expect, it } from 'vitest'
import { countCompanyPages } from '../../eval/company.ts'
import { Counts } from '../../eval/counts.ts'
import { countDemoWeb } from '../../eval/demo-web.ts'

const total = (counts: Map<string, Counts>): Counts =>
  [...counts.values()].reduce((sum, one) => sum.plus(one), new Counts())

describe('the demo web, enriched', () => {
  it('reads the enriched demo web completely, in every layout and with every quirk', async () => {
    const count = await countDemoWeb({ companies: 40, today: new Date('2026-03-01T00:00:00Z') })
    expect(count.wrongStatus).toEqual([])
    // A wrong or invented fact is worse than a missing fact.
    expect(total(count.fields).precision).toBeGreaterThanOrEqual(0.99)
    expect(total(count.fields).recall).toBeGreaterThanOrEqual(0.98)
    expect(total(count.people).precision).toBeGreaterThanOrEqual(0.98)
    expect(total(count.people).recall).toBeGreaterThanOrEqual(0.92)
    expect(count.emails.precision).toBeGreaterThanOrEqual(0.98)
    expect(total(count.signals).precision).toBeGreaterThanOrEqual(0.85)
    expect(total(count.signals).recall).toBeGreaterThanOrEqual(0.8)
  })
})

describe('company fields on the gold pages', () => {
  it.each([
    'dev',
    'held-out',
  ] as const)('reads the company fields on the %s half of the gold pages correctly', (half) => {
    const all = total(countCompanyPages(half).fields)
    expect(all.precision).toBeGreaterThanOrEqual(0.92)
    expect(all.recall).toBeGreaterThanOrEqual(0.95)
  })
})
