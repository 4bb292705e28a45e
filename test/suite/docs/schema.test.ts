import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dumpSchema } from '../../../scripts/dump-schema.ts'
import { testDatabase } from '../../helpers/database.ts'

const SQL = join(import.meta.dirname, '../../../sql')

it.each(['service', 'warehouse'] as const)('sql/%s.schema.sql is what the migrations come to', async (role) => {
  await using database = await testDatabase<never>(role)
  const file = join(SQL, `${role}.schema.sql`)
  const head = `-- What the migrations in ${role}/ come to, for reading and review. Made by \`npm run generate -- docs\`; nothing runs it.\n\n`
  const now = head + (await dumpSchema(database.db))
  if (process.env['TALHOUSE_TEST_WRITE_DOCS']) await writeFile(file, now)
  else expect(await readFile(file, 'utf8')).toBe(now)
})
