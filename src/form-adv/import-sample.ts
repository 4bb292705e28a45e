import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServiceTables } from '../db/database.ts'
import type { ImportReport } from '../firms/merge-roster.ts'
import { SAMPLE_ROSTER } from '../firms/remove-sample.ts'
import type { Postgres } from '../lib/postgres.ts'
import type { ImportOptions } from './import-file.ts'
import type { SampleOptions } from './sample-roster.ts'

/**
 * Imports the sample roster, and leaves the file in `folder`. Returns undefined, without importing, if any roster has
 * been imported. Concurrent callers import identical files, so the second import has no effect.
 */
export async function importSampleIfEmpty(
  postgres: Postgres<ServiceTables>,
  folder: string,
  options: ImportOptions & SampleOptions,
): Promise<ImportReport | undefined> {
  const known = await postgres.db.selectFrom('firm_import').select('id').limit(1).executeTakeFirst()
  if (known) return undefined
  const [{ writeSampleRoster }, { importFirmFile }] = await Promise.all([
    import('./sample-roster.ts'),
    import('./import-file.ts'),
  ])
  await mkdir(folder, { recursive: true })
  const path = join(folder, SAMPLE_ROSTER)
  await writeSampleRoster(path, options)
  return await importFirmFile(postgres, path, options)
}
