import { expect, inject, it } from 'vitest'
import { prepareBooks } from '../../chaos/kill-books.ts'
import { TEMPLATES } from '../../helpers/global-setup.ts'

// `npm run chaos -- books` runs the whole matrix.
it('the ledger and the history in the warehouse match those at the service after a killed nightly run', async () => {
  await using ground = await prepareBooks(inject('postgresUrl'), TEMPLATES.warehouse)
  expect(ground.entries).toBeGreaterThan(15)
  expect(ground.events).toBeGreaterThan(100)
  for (const seed of [1, 2]) {
    const report = await ground.kill(seed)
    expect(report.killedIn.length).toBeGreaterThan(0)
    expect(report).toMatchObject({ outcome: 'ok', ledgerEqual: true, historyEqual: true })
  }
}, 240_000)
