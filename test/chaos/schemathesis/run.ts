/**
 * npm run chaos -- schemathesis [SEED] [EXAMPLES]: runs all phases and checks of Schemathesis against `talhouse serve`
 * on a free port with a separate database and no workers. EXAMPLES limits the generated requests per operation. Takes a
 * few minutes, at most 20. If Python or PyPI is not available, only prints the reason.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createApiKey } from '../../../src/auth/api-keys.ts'
import { createClient } from '../../../src/auth/clients.ts'
import { SCOPES } from '../../../src/contract/scopes.ts'
import { pythonWith } from '../../helpers/installed-programs.ts'
import { openChaosDatabase } from '../chaos-database.ts'
import { startServeProcess } from '../serve-process.ts'

const UNHINDERED = 100_000_000
/** The timeout of a request is longer than the longest `wait`. */
const TIMEOUT_SECONDS = 60
const LIMIT = 20 * 60_000
const [, , givenSeed, examples] = process.argv
const seed = givenSeed ?? String(Date.now() % 1_000_000)
const settings = join(import.meta.dirname, 'settings.toml')
const programs = pythonWith('schemathesis', join(import.meta.dirname, 'requirements.txt'))
if (programs) process.exitCode = await check(join(programs, 'schemathesis'))

/** Returns Schemathesis's exit code: 0 if no check failed. */
async function check(schemathesis: string): Promise<number> {
  await using chaos = await openChaosDatabase({ connections: 5 })
  const { db } = chaos.service
  const limits = { reads_per_minute: UNHINDERED, submits_per_minute: UNHINDERED }
  await createClient(db, { client_id: 'checks', name: 'Checks', units_per_period: 1_000_000, ...limits })
  const { key } = await createApiKey(db, 'checks', { scopes: SCOPES })
  await using service = await startServeProcess(chaos.url)
  console.log(`seed ${seed}: repeat it with \`npm run chaos -- schemathesis ${seed}\``)
  const where = ['--config-file', settings, 'run', `${service.url}/openapi.json`]
  const how = [
    '--checks',
    'all',
    '--request-timeout',
    String(TIMEOUT_SECONDS),
    '--max-response-time',
    String(TIMEOUT_SECONDS),
    '--seed',
    seed,
    ...(examples ? ['--max-examples', examples] : []),
    '-H',
    `X-Api-Key: ${key}`,
    '--no-color',
  ]
  const child = spawn(schemathesis, [...where, ...how], { cwd: chaos.dataDir, stdio: 'inherit', timeout: LIMIT })
  const [code] = await once(child, 'exit')
  if (code === null) console.log(`cut off after ${LIMIT / 60_000} minutes`)
  return code ?? 1
}
