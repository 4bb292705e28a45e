/** A child process with its own rate limiter; sends its parent the number of accepted requests. */
import type { ServiceTables } from '../../../src/db/database.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import { openPostgres } from '../../../src/lib/postgres.ts'
import { RateLimiter } from '../../../src/rate-limits/rate-limiter.ts'

const [url, clientId, limit, asked] = process.argv.slice(2) as [string, string, string, string]
await using service = openPostgres<ServiceTables>(url, { log: silentLog, name: 'test', connections: 2 })
const limiter = new RateLimiter(service.db)
const take = () => limiter.take(clientId, 'read', Number(limit))
const rates = await Promise.all(Array.from({ length: Number(asked) }, take))
process.send?.(rates.filter((rate) => rate.accepted).length)
process.disconnect()
