import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { OutageGround } from '../../chaos/outage-nights.ts'
import { prepareOutages } from '../../chaos/outage-nights.ts'
import { TEMPLATES } from '../../helpers/global-setup.ts'

let ground: OutageGround
beforeAll(async () => {
  ground = await prepareOutages(inject('postgresUrl'), TEMPLATES.warehouse)
}, 240_000)
afterAll(() => ground[Symbol.asyncDispose]())

// `npm run chaos -- outages` covers all steps and durations.
it.each([
  ['tal-members', 20],
  ['firms', 600],
  ['enrich-due, submission', 600],
  ['enrich-due, task', 10_800],
  ['export', 10_800],
] as const)(
  'a nightly run completes after an outage that starts in %s and lasts %i seconds',
  async (step, seconds) => {
    const report = await ground.run(step, seconds)
    expect(report).toMatchObject({ differing: [], otherReasons: [], paidTwice: [], unitsUnaccounted: 0 })
    expect(report.failedAttempts).toContain(step.split(',')[0])
    expect(report.waitedFor.join('\n')).toMatch(/waiting until \d{4}-.* to retry/)
  },
  240_000,
)
