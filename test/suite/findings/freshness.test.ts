import { describe, expect, it } from 'vitest'
import type { LastAnswer } from '../../../src/findings/freshness.ts'
import { dueProviders } from '../../../src/findings/freshness.ts'
import type { FieldGroup, Provider } from '../../../src/findings/provider.ts'

const provider = (name: string, recheckAfterDays: number, groups: FieldGroup[]): Provider => ({
  name,
  recheckAfterDays,
  groups: new Set(groups),
  find: () => Promise.reject(new Error('not asked here')),
})
const providers = [provider('roster', 90, ['company']), provider('site', 30, ['company', 'signals'])]
const answer = (over: Partial<LastAnswer>): LastAnswer => ({
  provider: 'site',
  groups: ['company'],
  status: 'found',
  checked_at: '2026-01-01T00:00:00.000000Z',
  failures: 0,
  ...over,
})
const due = (now: string, last: LastAnswer[], wanted: FieldGroup[] = ['company'], force = false) => [
  ...dueProviders(providers, new Set(wanted), last, { now: new Date(now), force }),
]

describe('dueProviders', () => {
  it('a provider that has never responded is due', () => {
    expect(due('2026-01-02', [])).toEqual(['roster', 'site'])
  })

  it('applies each provider’s maximum age', () => {
    const last = [answer({ provider: 'roster' }), answer({})]
    expect(due('2026-01-30', last)).toEqual([])
    expect(due('2026-01-31', last)).toEqual(['site'])
    expect(due('2026-04-01', last)).toEqual(['roster', 'site'])
  })

  it('every concerned provider is due when forced', () => {
    expect(due('2026-01-02', [answer({ provider: 'roster' }), answer({})], ['signals'], true)).toEqual(['site'])
  })

  it('a provider is due when its last result has reached the maximum age', () => {
    const last = [answer({ provider: 'roster' }), answer({})]
    const staleAfter = (now: string, maxAgeDays: number) => [
      ...dueProviders(providers, new Set(['company']), last, { now: new Date(now), maxAgeDays }),
    ]
    expect(staleAfter('2026-01-07', 7)).toEqual([])
    // Provider results are slightly newer than the record's timestamp.
    expect(staleAfter('2026-01-07T23:59:00Z', 7)).toEqual(['roster', 'site'])
  })

  it('a provider is due when its last result covered fewer groups', () => {
    expect(due('2026-01-02', [answer({})], ['signals'])).toEqual(['site'])
  })

  it('backs off from an unavailable provider, regardless of the requested groups', () => {
    const last = [answer({ status: 'unavailable', failures: 1 })]
    expect(due('2026-01-01T00:30:00Z', last, ['signals'])).toEqual([])
    expect(due('2026-01-01T01:00:00Z', last, ['signals'])).toEqual(['site'])
  })

  it('doubles the wait before each retry of an unavailable provider, up to the age at which it is rechecked', () => {
    const roster = answer({ provider: 'roster' })
    const failed = (failures: number) => [roster, answer({ status: 'unavailable', failures })]
    expect(due('2026-01-01T00:59:59Z', failed(1))).toEqual([])
    expect(due('2026-01-01T01:00:00Z', failed(1))).toEqual(['site'])
    expect(due('2026-01-01T07:59:59Z', failed(4))).toEqual([])
    expect(due('2026-01-01T08:00:00Z', failed(4))).toEqual(['site'])
    expect(due('2026-01-31T00:00:00Z', failed(40))).toEqual(['site'])
  })
})
