import { expect, inject, it } from 'vitest'
import { prepareImportKills } from '../../chaos/kill-import.ts'
import { TEMPLATES } from '../../helpers/global-setup.ts'

// `npm run chaos -- import` runs the full matrix.
it('a killed import leaves the old or the new roster and can be repeated', async () => {
  await using ground = await prepareImportKills(inject('postgresUrl'), TEMPLATES.service)
  for (const seed of [0, 2]) {
    const report = await ground.kill(seed)
    expect(report, JSON.stringify(report)).toMatchObject({ healed: true })
    expect([report.found, report.settled]).not.toContain('half')
    if (report.phase === 'reads') expect(report.settled).toBe('old')
    if (report.phase === 'done') expect(report.found).toBe('new')
  }
})
