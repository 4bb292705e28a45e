/**
 * Programs that measure lower bounds for a pull. `node bare-firms.ts requests FILE` sends the requests in a JSON file,
 * eight at once, and discards the parsed pages. `node bare-firms.ts copy FILE` loads a CSV file into the `bare_firm`
 * table with one COPY.
 */
import { createReadStream, readFileSync } from 'node:fs'
import PQueue from 'p-queue'
import { Agent } from 'undici'
import { copyIn } from '../../src/lib/copy.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { openPostgres } from '../../src/lib/postgres.ts'

const AT_ONCE = 8
const [what, file] = process.argv.slice(2) as [string, string]
const { BENCH_BASE_URL: origin = '', BENCH_API_KEY: key = '', BENCH_WAREHOUSE_URL: url = '' } = process.env
if (what === 'requests') await sendAll(JSON.parse(readFileSync(file, 'utf8')) as object[])
else await copy()

async function sendAll(bodies: object[]): Promise<void> {
  const agent = new Agent({ connections: AT_ONCE })
  const queue = new PQueue({ concurrency: AT_ONCE })
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const send = async (body: object): Promise<void> => {
    const reply = await agent.request({ origin, path: '/firms', method: 'POST', headers, body: JSON.stringify(body) })
    if (reply.statusCode !== 200) throw new Error(`answered ${reply.statusCode}`)
    await reply.body.json()
  }
  await queue.addAll(bodies.map((body) => () => send(body)))
  await agent.close()
}

async function copy(): Promise<void> {
  await using postgres = openPostgres(url, { log: silentLog, name: 'bench', connections: 1 })
  const client = await postgres.pool.connect()
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'bare_firm'::regclass and attnum > 0 order by attnum`,
  )
  const columns = rows.map(({ name }) => name)
  await copyIn(client, 'bare_firm', columns, createReadStream(file))
  client.release()
}
