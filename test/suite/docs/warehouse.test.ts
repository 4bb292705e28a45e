import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { documentWarehouse } from '../../../scripts/document-warehouse.ts'
import { FIRM_FIELD_NAMES, FIRM_FIELDS } from '../../../src/contract/firm-fields.ts'
import { testDatabase } from '../../helpers/database.ts'
import { startFirmHost } from '../../helpers/firm-host.ts'
import { generateFirms } from '../../helpers/invented-firms.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'

const PAGE = join(import.meta.dirname, '../../../docs/warehouse.md')
const MARK = '<!-- Generated from the comments in the database: npm run generate -- docs -->'

describe('docs/warehouse.md', () => {
  it('docs/warehouse.md is up to date with the database (update it with `npm run generate -- docs`)', async () => {
    await using warehouse = await testDatabase<never>('warehouse')
    const [written = '', generated] = (await readFile(PAGE, 'utf8')).split(MARK)
    const now = `\n\n${await documentWarehouse(warehouse.db)}`
    if (process.env['TALHOUSE_TEST_WRITE_DOCS']) await writeFile(PAGE, `${written}${MARK}${now}`)
    else expect(generated).toBe(now)
  })

  it('docs/warehouse.md contains only SQL that an analyst can run', async () => {
    await using host = await startFirmHost(generateFirms(60))
    await using bench = await pipelineBench(host)
    await bench.run()
    const statements = [...(await readFile(PAGE, 'utf8')).matchAll(/```sql\n([\s\S]*?)```/g)].map(
      ([, text]) => text as string,
    )
    expect(statements.length).toBeGreaterThan(3)
    for (const text of statements) {
      const rows = await bench.warehouse.db.transaction().execute(async (trx) => {
        await sql`set local role talhouse_analyst`.execute(trx)
        return (await sql.raw(text).execute(trx)).rows
      })
      expect(Array.isArray(rows), text).toBe(true)
    }
  })
})

describe('the warehouse', () => {
  it('the warehouse has a comment on every table, view, column and function', async () => {
    await using warehouse = await testDatabase('warehouse')
    const { rows } = await sql`
      select n.nspname || '.' || c.relname as thing, a.attname as part
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum >= 0 and not a.attisdropped
      where n.nspname in ('warehouse', 'bi', 'sync') and c.relkind in ('r', 'v', 'p', 'm')
        and (col_description(c.oid, a.attnum) is null or obj_description(c.oid, 'pg_class') is null)
      union all
      select n.nspname || '.' || p.proname, null from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('warehouse', 'sync') and obj_description(p.oid, 'pg_proc') is null
    `.execute(warehouse.db)
    expect(rows).toEqual([])
  })

  it("the comment of each column of warehouse.firm is the description of the firm's field", async () => {
    await using warehouse = await testDatabase('warehouse')
    const { rows } = await sql<{ name: string; comment: string }>`
      select attname as name, col_description(attrelid, attnum) as comment from pg_attribute where attrelid = 'warehouse.firm'::regclass
    `.execute(warehouse.db)
    const comments = new Map(rows.map(({ name, comment }) => [name, comment]))
    for (const name of FIRM_FIELD_NAMES) expect(comments.get(name), name).toBe(FIRM_FIELDS[name].description)
  })
})
