/** Fetches pages from one host sequentially: `crawler.ts DATABASE CONNECT_TO own|shared PER_SECOND PAGES`. */
import { once } from 'node:events'
import type { ServiceTables } from '../../../src/db/database.ts'
import { createFetcher } from '../../../src/enrichment/fetching/fetcher.ts'
import { createSharedHostRateLimit } from '../../../src/enrichment/fetching/shared-host-rate-limit.ts'
import { createSharedRobots } from '../../../src/enrichment/fetching/shared-robots.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import { openPostgres } from '../../../src/lib/postgres.ts'
import { fetchingSettings } from '../../helpers/web-server.ts'

const [url = '', connectTo = '', hostRateLimit, perSecond, pages] = process.argv.slice(2)
await using service = openPostgres<ServiceTables>(url, { log: silentLog, name: 'guest', connections: 2 })
const shared = {
  hostRateLimit: createSharedHostRateLimit(service.db, silentLog),
  robots: createSharedRobots(service.db, silentLog),
}
const settings = fetchingSettings({ connect_to: [connectTo], requests_per_second: Number(perSecond) })
await using fetcher = createFetcher(settings, hostRateLimit === 'shared' ? shared : {})
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const { signal } = new AbortController()
for (let page = 0; page < Number(pages); page++) await fetcher.get(`http://acme.example/${page}`, { signal })
