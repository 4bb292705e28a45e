import { expect, inject, it } from 'vitest'
import { prepareNights } from '../../chaos/kill-nightly.ts'
import { TEMPLATES } from '../../helpers/global-setup.ts'

// The whole matrix is `npm run chaos -- nightly`.
it('a killed night is finished by the next run with the same warehouse and nothing paid twice', async () => {
  await using ground = await prepareNights(inject('postgresUrl'), TEMPLATES.warehouse)
  for (const seed of [1, 2]) {
    const report = await ground.kill(seed)
    expect(report.killedIn.length).toBeGreaterThan(0)
    expect(report).toMatchObject({ differing: [], paidTwice: [], unitsUnaccounted: 0, marksAhead: [] })
  }
}, 240_000)
