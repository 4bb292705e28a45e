import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { WarehouseDictionary } from '../../src/contract/warehouse-query.ts'

/** Reads the tables, views and functions in the `warehouse` schema, and their comments. */
export async function readDictionary<Tables>(db: Kysely<Tables>): Promise<WarehouseDictionary> {
  const { rows: tables } = await sql<WarehouseDictionary['tables'][number]>`
    select c.relname as name, case c.relkind when 'v' then 'view' else 'table' end as kind, obj_description(c.oid, 'pg_class') as comment,
      json_agg(json_build_object(
        'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'comment', col_description(c.oid, a.attnum)
      ) order by a.attnum) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'warehouse'
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'v', 'p', 'm')
    group by c.oid, c.relname, c.relkind
    order by c.relname
  `.execute(db)
  const { rows: functions } = await sql<WarehouseDictionary['functions'][number]>`
    select p.proname || '(' || pg_get_function_arguments(p.oid) || ')' as signature, obj_description(p.oid, 'pg_proc') as comment
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace and n.nspname = 'warehouse'
    order by 1
  `.execute(db)
  return { tables, functions }
}
