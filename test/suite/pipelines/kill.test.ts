import { expect, inject, it } from 'vitest'
import { MAX_REFETCHED, prepareKillingGround } from '../../chaos/kill-firms.ts'
import { TEMPLATES } from '../../helpers/global-setup.ts'

// `npm run chaos -- firms` runs the whole matrix.
it('the next run finishes a killed pull without lost or duplicate rows', async () => {
  await using ground = await prepareKillingGround(inject('postgresUrl'), TEMPLATES.warehouse)
  for (const seed of [1, 2]) {
    const report = await ground.kill(seed)
    expect(report).toMatchObject({ equal: true, countedOnce: true })
    expect(report.refetched).toBeLessThanOrEqual(MAX_REFETCHED)
  }
})
