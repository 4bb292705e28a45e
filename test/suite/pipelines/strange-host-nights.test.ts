import { expect, inject, it } from 'vitest'
import { isBad, runStrangeNights } from '../../chaos/strange-nights.ts'
import { TEMPLATES } from '../../helpers/global-setup.ts'

// `npm run chaos -- strange-hosts` tests two hundred seeds.
it.each([
  2, 9, 21,
])("five nightly runs with kills against the host of seed %i leave the host's rows and units in the warehouse", async (seed) => {
  const report = await runStrangeNights(inject('postgresUrl'), TEMPLATES.warehouse, seed)
  expect(isBad(report), JSON.stringify(report)).toBe(false)
  expect(report.outcomes).toHaveLength(5)
}, 300_000)
