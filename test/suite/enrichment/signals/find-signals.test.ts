import { expect, test } from 'vitest'
import { findSignals } from '../../../../src/enrichment/signals/find-signals.ts'

const options = {
  company: { domain: 'quillmark.example', names: ['Quillmark'] },
  source: 'website',
  method: 'feed',
  own: true,
  observedAt: '2026-11-20T10:00:00.000000Z',
} as const
const story = (date: string | null) => ({
  url: 'https://quillmark.example/a',
  headline: 'Quillmark raises $40 million Series B',
  lead: null,
  date,
})

test('keeps a story dated in the future without its date', () => {
  expect(findSignals([story('2027-03-01')], options)).toMatchObject([{ type: 'Funding', date: null }])
  expect(findSignals([story('2026-11-21')], options)).toMatchObject([{ type: 'Funding', date: '2026-11-21' }])
})
