/**
 * npm run chaos -- books: kills nightly runs against a real service at seeded points, and compares the ledger and the
 * history. The KILLS variable sets the number of kills (default: 500).
 */
import { expect, inject, it } from 'vitest'
import { TEMPLATES } from '../helpers/global-setup.ts'
import type { BooksReport } from './kill-books.ts'
import { prepareBooks } from './kill-books.ts'

const KILLS = Number(process.env['KILLS'] ?? 500)

it(`after ${KILLS} kills, the ledger and the history in the warehouse match those at the service`, async () => {
  await using ground = await prepareBooks(inject('postgresUrl'), TEMPLATES.warehouse)
  const steps: Record<string, number> = {}
  const bad: BooksReport[] = []
  let kills = 0
  for (let seed = 1; kills < KILLS; seed += 1) {
    const report = await ground.kill(seed)
    if (report.outcome !== 'ok' || !report.ledgerEqual || !report.historyEqual) bad.push(report)
    for (const step of report.killedIn) steps[step] = (steps[step] ?? 0) + 1
    kills += report.killedIn.length
    if (seed % 20 === 0) console.log(`${seed} nights, ${kills} of ${KILLS} kills, ${bad.length} unequal`)
  }
  console.table({ 'kills in': steps })
  expect(bad).toEqual([])
}, 10_800_000)
