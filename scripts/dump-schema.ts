import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/**
 * What the migrations come to, as SQL to read: each table with its constraints and indexes, then views, functions and triggers, all by
 * name. Comments are left to the documentation; what a library made for itself (`pgboss`, `kysely_*`) is left out.
 */
export async function dumpSchema(db: Kysely<never>): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    with ours as (
      select oid, nspname from pg_namespace where nspname in ('public', 'warehouse', 'sync')
    ), relation as (
      select c.oid, c.relkind, case nspname when 'public' then '' else nspname || '.' end || relname as name
      from pg_class c join ours on ours.oid = c.relnamespace
      where c.relname not like 'kysely\\_%' and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
    ), line as (
      select r.name, 0 as part, a.attnum::text as position,
        '  ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
          || case when a.attnotnull then ' not null' else '' end
          || case when a.attidentity <> '' then ' generated always as identity'
            when a.attgenerated <> '' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
            when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end as text,
        a.attnum as rank
      from relation r
      join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where r.relkind in ('r', 'p')
      union all
      select r.name, 1, conname, '  constraint ' || conname || ' ' || pg_get_constraintdef(k.oid), 10000
      from relation r join pg_constraint k on k.conrelid = r.oid
      where k.contype <> 'n'
    ), piece as (
      select 1 as sort, name, 'create table ' || name || e' (\\n'
        || string_agg(text, e',\\n' order by part, rank, position collate "C") || e'\\n);' as text
      from line group by name
      union all
      select 1, r.name || ' ' || i.relname, pg_get_indexdef(i.oid) || ';'
      from relation r join pg_index x on x.indrelid = r.oid join pg_class i on i.oid = x.indexrelid
      where r.relkind in ('r', 'p') and not exists (select from pg_constraint where conindid = i.oid)
      union all
      select 2, name, 'create view ' || name || e' as\\n' || pg_get_viewdef(oid, true) from relation where relkind = 'v'
      union all
      select 3, p.proname || pg_get_function_identity_arguments(p.oid), rtrim(pg_get_functiondef(p.oid), e'\\n') || ';'
      from pg_proc p join ours on ours.oid = p.pronamespace
      where not exists (select from pg_depend where objid = p.oid and deptype = 'e')
      union all
      select 4, tgname || r.name, pg_get_triggerdef(t.oid) || ';'
      from relation r join pg_trigger t on t.tgrelid = r.oid where not t.tgisinternal
    )
    select text from piece order by sort, name collate "C"`.execute(db)
  return `${rows.map(({ text }) => text).join('\n\n')}\n`
}
