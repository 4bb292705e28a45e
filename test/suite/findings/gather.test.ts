import { describe, expect, it } from 'vitest'
import { gather } from '../../../src/findings/gather.ts'
import type { FieldGroup, Findings, Observation, Provider, ProviderRequest } from '../../../src/findings/provider.ts'
import { silentLog } from '../../../src/lib/logger.ts'

const clock = { now: () => new Date('2026-03-01T10:00:00Z') }
const nothing: Findings = { status: 'not_found', reason: null, observations: [], people: [], signals: [] }

const request = (groups: FieldGroup[], more: Partial<ProviderRequest> = {}): ProviderRequest => ({
  domain: 'acme.example',
  known: {},
  groups: new Set(groups),
  maxPeople: 5,
  maxArticles: 10,
  clock,
  signal: new AbortController().signal,
  log: silentLog,
  ...more,
})

const provider = (
  name: string,
  groups: FieldGroup[],
  find: Provider['find'],
  more: Partial<Provider> = {},
): Provider => ({
  name,
  groups: new Set(groups),
  recheckAfterDays: 30,
  find,
  ...more,
})

const nameOf = (value: string, source: string, confidence = 0.9): Observation => ({
  field: 'name',
  value,
  source,
  url: null,
  observed_at: '2026-03-01T09:59:00.000000Z',
  method: 'page',
  confidence,
})

const finds =
  (value: string, source: string): Provider['find'] =>
  async () => ({
    ...nothing,
    status: 'found',
    observations: [nameOf(value, source)],
  })

describe('gather', () => {
  it('keeps the findings of other providers when one throws, and reports the reason', async () => {
    const broken = provider('broken', ['company'], async () => {
      throw new Error('connection reset')
    })
    const gathered = await gather([broken, provider('good', ['company'], finds('Acme', 'good'))], request(['company']))
    expect(gathered.answers).toEqual([
      {
        provider: 'broken',
        status: 'unavailable',
        reason: 'connection reset',
        checked_at: '2026-03-01T10:00:00.000000Z',
      },
      { provider: 'good', status: 'found', reason: null, checked_at: '2026-03-01T10:00:00.000000Z' },
    ])
    expect(gathered.observations.map(({ value }) => value)).toEqual(['Acme'])
  })

  it('treats a provider that throws synchronously as unavailable', async () => {
    const broken = provider('broken', ['company'], () => {
      throw new Error('bug')
    })
    const { answers } = await gather([broken], request(['company']))
    expect(answers[0]).toMatchObject({ status: 'unavailable', reason: 'bug' })
  })

  it('abandons a provider that ignores its signal', async () => {
    const deaf = provider('deaf', ['company'], () => new Promise(() => {}))
    const { answers } = await gather(
      [deaf, provider('good', ['company'], finds('Acme', 'good'))],
      request(['company']),
      {
        timeLimit: 50,
      },
    )
    expect(answers).toMatchObject([
      { provider: 'deaf', status: 'unavailable', reason: 'no response within 0.05 s' },
      { provider: 'good', status: 'found' },
    ])
  })

  it('calls only providers of requested groups and drops findings of other groups', async () => {
    const asked: string[] = []
    const note = (name: string, groups: FieldGroup[]) =>
      provider(name, groups, async () => {
        asked.push(name)
        return { ...nothing, status: 'found', observations: [nameOf('Acme', name)] }
      })
    const gathered = await gather(
      [note('firms', ['company']), note('site', ['company', 'signals'])],
      request(['signals']),
    )
    expect(asked).toEqual(['site'])
    expect(gathered).toMatchObject({ groups: ['signals'], observations: [] })
  })

  it('calls only due providers', async () => {
    const all = [provider('a', ['company'], finds('A', 'a')), provider('b', ['company'], finds('B', 'b'))]
    const news = provider('news', ['signals'], async () => nothing)
    const { answers, skipped } = await gather([...all, news], request(['company']), { only: new Set(['b']) })
    expect(answers.map((answer) => answer.provider)).toEqual(['b'])
    expect(skipped, 'without providers of other groups').toEqual(['a'])
  })

  it('passes a name found by one provider to providers that search by name', async () => {
    const seen: unknown[] = []
    const news = provider(
      'news',
      ['signals'],
      async ({ known }) => {
        seen.push(known.name)
        return nothing
      },
      { searchesByName: true },
    )
    const site = provider('site', ['company', 'signals'], finds('Acme Capital', 'site'))
    const gathered = await gather([news, site], request(['signals']))
    await gather([news, site], request(['signals'], { known: { name: 'Known Name' } }))
    expect(seen).toEqual(['Acme Capital', 'Known Name'])
    expect(gathered.answers.map((answer) => answer.provider)).toEqual(['news', 'site'])
  })

  it('aborts providers with the caller without reporting a provider failure', async () => {
    const stop = new AbortController()
    const slow = provider('slow', ['company'], () => new Promise(() => {}))
    const gathering = gather([slow], request(['company'], { signal: stop.signal }))
    stop.abort(new Error('shutting down'))
    await expect(gathering).rejects.toThrow('shutting down')
  })
})
