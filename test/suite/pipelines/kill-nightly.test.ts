import { expect, inject, it } from 'vitest'
import { prepareNights } from '../../chaos/kill-nightly.ts'
import { TEMPLATES } from '../../helpers/global-setup.ts'

// `npm run chaos -- nightly` runs the whole matrix.
it('the next run completes a killed nightly run with the same data and without duplicate payments', async () => {
  await using ground = await prepareNights(inject('postgresUrl'), TEMPLATES.warehouse)
  for (const seed of [1, 2, 3]) {
    const report = await ground.kill(seed)
    expect(report.killedIn.length).toBeGreaterThan(0)
    expect(report).toMatchObject({
      differing: [],
      paidTwice: [],
      unitsUnaccounted: 0,
      marksAhead: [],
      staleChanges: [],
    })
  }
}, 360_000)
