import { expect, it } from 'vitest'
import type { Run } from '../../../pipelines/runner/runs.ts'
import { stepsText } from '../../../src/cli/support/run-text.ts'

const COUNTS = { inserted: 0, updated: 0, unchanged: 0, gone: 0, quarantined: 0, requests: 0, units: 0 }
const TIMES = { started_at: '2031-03-01T02:00:00Z', ended_at: '2031-03-01T02:00:01Z' }

const step = (pipeline: string, reason: string): Run =>
  ({
    ...COUNTS,
    ...TIMES,
    pipeline,
    state: 'completed',
    outcome: 'degraded',
    error_message: null,
    reasons: [reason],
  }) as never

const night = (...reasons: string[]): Run => ({ ...step('nightly', ''), reasons }) as Run

const linesWith = (text: string, reason: string): number =>
  text.split('\n').filter((line) => line.includes(reason)).length

it('omits the reason of a single attempt if the run already shows it', () => {
  const run = night('staleness: too few are fresh')
  expect(linesWith(stepsText(run, [step('staleness', 'too few are fresh')]), 'too few')).toBe(0)
  expect(linesWith(stepsText(run, [step('export', 'disk full')]), 'disk full')).toBe(1)
  expect(linesWith(stepsText(night('export failed: disk full'), [step('export', 'disk full')]), 'disk full')).toBe(0)
})

it('prints the reason of every attempt of a retried step', () => {
  const steps = [step('export', 'disk full'), step('export', 'disk full')]
  expect(linesWith(stepsText(night('export: disk full'), steps), 'disk full')).toBe(2)
})
