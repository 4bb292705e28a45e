/** Publishes one snapshot in a process that a test can kill. Arguments: warehouse URL, S3 endpoint, snapshot ID. */

import { openSink } from '../../pipelines/sinks/open-sink.ts'
import { createSnapshot } from '../../pipelines/snapshot/create-snapshot.ts'
import { databaseClock } from '../../src/lib/database-clock.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { openPostgres } from '../../src/lib/postgres.ts'

const [url = '', endpoint = '', id = ''] = process.argv.slice(2)
await using warehouse = openPostgres<unknown>(url, { log: silentLog, name: 'publisher', connections: 2 })
await createSnapshot(warehouse, await openSink({ url: 's3://bucket/warehouse', endpoint }), {
  clock: databaseClock(warehouse.db),
  id,
})
