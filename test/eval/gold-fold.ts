import { readFileSync } from 'node:fs'
import type { SignalType } from '../../src/contract/companies.ts'
import { foldSignals } from '../../src/enrichment/signals/fold-signals.ts'
import type { SignalObservation } from '../../src/findings/provider.ts'

export interface FoldScore {
  /** Number of pairs about the same story, and how many of them were folded. */
  same: number
  folded: number
  /** Number of pairs about different stories, and how many of them were kept separate. */
  apart: number
  kept: number
}

/** Folds the gold pairs of headlines. */
export function scoreFolding(): FoldScore {
  const score: FoldScore = { same: 0, folded: 0, apart: 0, kept: 0 }
  const lines = readFileSync(new URL('../fixtures/gold/fold/pairs.tsv', import.meta.url), 'utf8').split('\n')
  for (const line of lines.slice(1).filter(Boolean)) {
    const [expected, first = '', second = '', days, firstType, secondType] = line.split('\t')
    const pair = [accountOf(first, 0, firstType), accountOf(second, Number(days), secondType)]
    const count = foldSignals(pair, { names: ['Kestrin Inc.'] }).length
    if (expected === 'same') {
      score.same += 1
      score.folded += count === 1 ? 1 : 0
    } else {
      score.apart += 1
      score.kept += count === 2 ? 1 : 0
    }
  }
  return score
}

function accountOf(headline: string, day: number, type: string | undefined): SignalObservation {
  return {
    type: type as SignalType,
    headline,
    date: new Date(Date.UTC(2026, 1, 1 + day)).toISOString().slice(0, 10),
    url: `https://press${day}.example/${encodeURIComponent(headline)}`,
    about: 'name in the headline',
    source: 'news',
    method: 'rss',
    observed_at: '2026-11-20T00:00:00.000000Z',
    confidence: 0.8,
  }
}
