import { expect, test } from 'vitest'
import type { SignalType } from '../../../../src/contract/companies.ts'
import { foldSignals } from '../../../../src/enrichment/signals/fold-signals.ts'
import type { SignalObservation } from '../../../../src/findings/provider.ts'
import { scoreFolding } from '../../../eval/gold-fold.ts'

let page = 0
const signal = (headline: string, over: Partial<SignalObservation> = {}): SignalObservation => {
  page += 1
  const evidence = { source: 'news', method: 'gdelt', observed_at: '2026-11-20T00:00:00.000000Z', confidence: 0.8 }
  return {
    ...evidence,
    url: `https://press${page}.example/${page}`,
    type: 'Funding' as SignalType,
    headline,
    date: '2026-11-03',
    about: 'name in the headline',
    ...over,
  }
}
const fold = (...signals: SignalObservation[]) =>
  foldSignals(signals, { names: ['Northwall Inc.'], ownDomain: 'northwall.example' }).map(({ headline }) => headline)

test('merges stories about one event, keeping the company’s own story with the earliest date and the highest confidence', () => {
  const own = signal('Northwall Raises $40 Million Series B', {
    url: 'https://www.northwall.example/news/1',
    date: '2026-11-04',
    confidence: 0.7,
  })
  const others = [
    signal('Contract startup Northwall lands $40M', { confidence: 0.9 }),
    signal('$40M for Northwall as investors pile in'),
  ]
  expect(foldSignals([...others, own], { names: ['Northwall'], ownDomain: 'northwall.example' })).toEqual([
    { ...own, date: '2026-11-03', confidence: 0.9 },
  ])
})

test('merges stories with equal headlines and equal URLs', () => {
  expect(
    fold(
      signal('Northwall wins export award', { type: 'Award' }),
      signal('Northwall Wins Export Award', { type: 'Award' }),
    ),
  ).toHaveLength(1)
  const url = 'https://press.example/a'
  expect(
    fold(signal('Northwall buys Brindle', { url }), signal('Deal for Brindle', { url: `${url}/?utm_source=x` })),
  ).toHaveLength(1)
})

test.each([
  ['two offices', 'Northwall opens Dallas office', 'Northwall opens Austin office', {}],
  ['two hires', 'Northwall hires Jane Smith', 'Northwall hires Robert Jones', {}],
  ['two rounds', 'Northwall raises $40M', 'Northwall raises $90M', {}],
  ['two targets', 'Northwall acquires Brindle', 'Northwall acquires Quenlow', {}],
  ['a year between', 'Northwall wins export award', 'Northwall wins export award', { date: '2025-11-03' }],
  [
    'two kinds',
    'Northwall buys Brindle for its Leeds team',
    'Brindle chief joins Northwall board',
    { type: 'Leadership Change' as SignalType },
  ],
])('does not merge stories: %s', (_, one, other, over) => {
  expect(fold(signal(one), signal(other, over))).toHaveLength(2)
})

test('sorts signals newest first, undated last', () => {
  expect(
    fold(
      signal('Northwall moves to Leeds', { date: null }),
      signal('Northwall buys Brindle', { date: '2026-01-03' }),
      signal('Northwall names Ana Bell chief', { date: '2026-09-03' }),
    ),
  ).toEqual(['Northwall names Ana Bell chief', 'Northwall buys Brindle', 'Northwall moves to Leeds'])
})

test('merges unseen pairs of stories about one event and keeps other pairs separate', () => {
  const { same, folded, apart, kept } = scoreFolding()
  expect(folded / same).toBeGreaterThanOrEqual(0.9)
  expect(kept / apart).toBeGreaterThanOrEqual(0.9)
})
