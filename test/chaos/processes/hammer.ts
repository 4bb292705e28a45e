/** One process of the ledger load: clients charge and refund one account at full speed. Prints its counts as JSON. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ServiceTables } from '../../../src/db/database.ts'
import { AppError } from '../../../src/lib/errors.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import { openPostgres } from '../../../src/lib/postgres.ts'
import { insertTask } from '../../../src/tasks/insert-task.ts'
import { chargeUnits } from '../../../src/units/charge.ts'

const [url = '', clientId = '', clients = '1', charges = '1', seed = '1'] = process.argv.slice(2)
const COSTS = [1, 3, 5, 9]

await using service = openPostgres<ServiceTables>(url, { log: silentLog, name: 'hammer', connections: Number(clients) })
const { db } = service
let state = Number(seed)
const next = (below: number): number => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((state / 2_147_483_648) * below)
}

// Connections are opened before the measurement starts.
await Promise.all(Array.from({ length: Number(clients) }, () => sql`select pg_sleep(0.1)`.execute(db)))
let charged = 0
let refused = 0
const started = performance.now()
await Promise.all(
  Array.from({ length: Number(clients) }, async () => {
    for (let done = 0; done < Number(charges); done += 1) {
      const units = COSTS[next(COSTS.length)] as number
      const taskId = randomUUID()
      try {
        await db.transaction().execute(async (trx) => {
          const item = {
            entity: 'company',
            groups: ['company'],
            domain: 'hammer.example',
            input: {},
            cost: units,
          } as const
          await insertTask(trx, {
            clientId,
            taskId,
            taskType: 'enrich_company',
            input: {},
            callbackUrl: null,
            unitsCharged: units,
            items: [item],
          })
          await chargeUnits(trx, { clientId, taskId, units })
        })
        charged += 1
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'insufficient_units')) throw error
        refused += 1
      }
    }
  }),
)
const seconds = (performance.now() - started) / 1000
process.stdout.write(`${JSON.stringify({ charged, refused, seconds })}\n`)
