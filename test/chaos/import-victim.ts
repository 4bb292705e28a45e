/**
 * Imports a roster in a process that a test kills: node import-victim.ts SERVICE_URL ROSTER. Prints a line when it
 * starts reading, starts merging, and has finished.
 */
import { writeSync } from 'node:fs'
import type { ServiceTables } from '../../src/db/database.ts'
import { importFirmFile } from '../../src/form-adv/import-file.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { openPostgres } from '../../src/lib/postgres.ts'

const [url, roster] = process.argv.slice(2) as [string, string]
const tell = (word: string) => writeSync(1, `${word}\n`)
await using service = openPostgres<ServiceTables>(url, { log: silentLog, name: 'victim' })
tell('reads')
await importFirmFile(service, roster, {
  maxBytes: 2 ** 28,
  maxGoneShare: 0.1,
  onMerge: () => void tell('merges'),
})
tell('done')
