/**
 * npm run chaos -- audit [KILLS] [SEED]: kills the service and commands while they make changes. Fails unless each
 * change has exactly one audit entry.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { recordAudit } from '../../src/audit/audit-log.ts'
import { createApiKey } from '../../src/auth/api-keys.ts'
import { SCOPES } from '../../src/contract/scopes.ts'
import { seededRandom } from '../../src/demo/seeded-random.ts'
import { currentSecret } from '../../src/webhooks/secrets.ts'
import { givenClient, TEST_ACTOR } from '../helpers/clients.ts'
import { auditedChanges } from './audited-changes.ts'
import { openChaosDatabase } from './chaos-database.ts'
import { startServeProcess } from './serve-process.ts'

const COMMAND = join(import.meta.dirname, '../../bin/talhouse.js')
/** Number of requests in flight. */
const CALLERS = 8

const [kills = 20, seed = 1] = process.argv.slice(2).map(Number)
const random = seededRandom(seed, 'audit')
await using database = await openChaosDatabase()
const { db } = database.service
const clientId = await givenClient(db, { units: 1_000_000 })
await recordAudit(db, TEST_ACTOR, { action: 'client.create', target: clientId })
await db
  .updateTable('client')
  .set({ reads_per_minute: 1_000_000, submits_per_minute: 1_000_000 })
  .where('client_id', '=', clientId)
  .execute()
const { key } = await createApiKey(db, clientId, { scopes: SCOPES })
await recordAudit(db, TEST_ACTOR, { action: 'key.create', target: clientId })
await currentSecret(db, clientId, [], TEST_ACTOR)

let sequence = 0
const requests = [
  () => ['POST', '/v2/clients/me/tal/companies', { domains: [`listed-${sequence++}.example`] }],
  () => ['POST', '/v2/enrich/company', { domain: `enriched-${sequence++}.example` }],
  () => ['POST', '/v2/webhooks/secret/rotate', {}],
  () => ['POST', '/v2/privacy/erasures', { email: `erased-${sequence++}@example.org` }],
] as const
const commands = [
  () => ['units', 'grant', clientId, '1'],
  () => ['keys', 'create', clientId],
  () => ['clients', 'create', 'Killed'],
  () => ['webhooks', 'rotate', clientId],
]

let replies = 0
let interrupted = 0
for (let kill = 0; kill < kills; kill += 1) {
  await using server = await startServeProcess(database.url)
  const stop = new AbortController()
  const callers = Array.from({ length: CALLERS }, async (_, index) => {
    while (!stop.signal.aborted) {
      const [method, path, body] = (requests[index % requests.length] as () => [string, string, object])()
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      await fetch(server.url + path, { method, headers, body: JSON.stringify(body) }).then(
        () => (replies += 1),
        () => (interrupted += 1),
      )
    }
  })
  const env = { ...process.env, TALHOUSE_SERVICE_DATABASE_URL: database.url, TALHOUSE_DATA_DIR: database.dataDir }
  const words = (commands[kill % commands.length] as () => string[])()
  const command = spawn(process.execPath, [COMMAND, ...words], { env, stdio: 'ignore' })
  const ended = once(command, 'exit')
  await wait(random.between(300, 3000))
  stop.abort()
  command.kill('SIGKILL')
  await Promise.all([server.kill(), ended, ...callers])
}
// PostgreSQL may still be running statements of killed processes.
await wait(1000)
const changes = await auditedChanges(db)
console.table(changes)
console.log(JSON.stringify({ kills, replies, interrupted }))
process.exitCode = changes.every(({ changes, entries }) => changes === entries) ? 0 : 1
