/** npm run chaos:nightly [POINTS] [SEED]: kills whole nights at seeded points and lets the next run finish them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { migrate } from '../../src/lib/migrations.ts'
import { ensureDatabase, openPostgres } from '../../src/lib/postgres.ts'
import type { NightReport } from './kill-nightly.ts'
import { prepareNights } from './kill-nightly.ts'

const points = Number(process.argv[2] ?? 500)
const first = Number(process.argv[3] ?? 0)
const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-chaos-'))
await using stack = new AsyncDisposableStack()
stack.defer(() => rm(dataDir, { recursive: true, force: true }))
const server = stack.use(await startEmbeddedPostgres({ dataDir, port: 0, settings: { fsync: 'off' } }))
await ensureDatabase(server.url('template_warehouse'))
{
  await using template = openPostgres(server.url('template_warehouse'), { log: silentLog, name: 'chaos' })
  await migrate(template.db, join(import.meta.dirname, '../../sql/warehouse'))
}
await using ground = await prepareNights(server.url('postgres'), 'template_warehouse')
const reports: NightReport[] = []
const isBad = ({ differing, paidTwice, unitsUnaccounted, marksAhead }: NightReport): boolean =>
  differing.length + paidTwice.length + marksAhead.length > 0 || unitsUnaccounted !== 0
let kills = 0
for (let seed = first; kills < points; seed += 1) {
  const report = await ground.kill(seed)
  reports.push(report)
  kills += report.killedIn.length
  if (isBad(report)) console.log(JSON.stringify(report))
  if (reports.length % 25 === 0) console.log(JSON.stringify(summary()))
}
console.log(JSON.stringify(summary(), null, 2))
process.exitCode = reports.some(isBad) ? 1 : 0

function summary() {
  return {
    nights: reports.length,
    kills,
    killed_in: Object.fromEntries(
      [
        ...Map.groupBy(
          reports.flatMap(({ killedIn }) => killedIn),
          (step) => step,
        ),
      ].map(([step, all]) => [step, all.length]),
    ),
    equal: reports.filter(({ differing }) => differing.length === 0).length,
    paid_twice: reports.filter(({ paidTwice }) => paidTwice.length > 0).length,
    units_unaccounted: reports.filter(({ unitsUnaccounted }) => unitsUnaccounted !== 0).length,
    marks_ahead: reports.filter(({ marksAhead }) => marksAhead.length > 0).length,
  }
}
