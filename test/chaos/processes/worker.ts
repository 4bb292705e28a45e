/** A worker process like `talhouse work`, with one source over HTTP. Prints `ready`; exits on SIGTERM. */
import type { ServiceTables } from '../../../src/db/database.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import { openPostgres } from '../../../src/lib/postgres.ts'
import { openQueue } from '../../../src/lib/queue.ts'
import { openReceivers } from '../../../src/webhooks/receivers.ts'
import { createItemEnricher } from '../../../src/worker/enrich.ts'
import { QUEUES, work } from '../../../src/worker/worker.ts'
import { answerProvider } from '../../helpers/answer-server.ts'
import { WEBHOOK_KEYS } from '../../helpers/webhook-keys.ts'

const [url = '', answersUrl = '', concurrency = '5'] = process.argv.slice(2)
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())

await using service = openPostgres<ServiceTables>(url, { log: silentLog, name: 'chaos worker', connections: 12 })
await using queue = await openQueue(url, { log: silentLog, queues: QUEUES, supervise: true })
await using receivers = openReceivers({ allowHttp: true, allowPrivate: true, ports: [] })
const { db } = service
const limits = { people: 25, articles: 10 }
const enrichItem = createItemEnricher({ db, providers: [answerProvider(answersUrl)], log: silentLog, limits })
process.stdout.write('ready\n')
const deps = { db, queue, log: silentLog, enrichItem, clock: systemClock, receivers, webhookKeys: WEBHOOK_KEYS }
const options = { log: silentLog, concurrency: Number(concurrency), deliveries: 5, signal: stop.signal }
await work(deps, { ...options, graceSeconds: 5 })
