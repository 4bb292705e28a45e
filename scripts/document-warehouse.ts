import type { Kysely } from 'kysely'
import { sql } from 'kysely'

interface Relation {
  name: string
  kind: 'table' | 'view'
  comment: string | null
  columns: { name: string; type: string; comment: string | null }[]
}

/** Documents the schema `warehouse` as Markdown: its tables, views and functions with their comments. */
export async function documentWarehouse(db: Kysely<never>): Promise<string> {
  const { rows: relations } = await sql<Relation>`
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
  const { rows: functions } = await sql<{ signature: string; comment: string | null }>`
    select p.proname || '(' || pg_get_function_arguments(p.oid) || ')' as signature, obj_description(p.oid, 'pg_proc') as comment
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace and n.nspname = 'warehouse'
    order by 1
  `.execute(db)
  return [
    '## Tables\n',
    diagram(relations),
    '## Functions\n',
    ...functions.map(({ signature, comment }) => `- \`warehouse.${signature}\`: ${comment ?? ''}`),
    ...relations.map(section),
    '',
  ].join('\n')
}

function section({ name, kind, comment, columns }: Relation): string {
  const rows = columns.map((column) => `| ${column.name} | ${column.type} | ${column.comment ?? ''} |`)
  return [
    `\n## ${kind === 'view' ? 'View' : 'Table'} warehouse.${name}\n`,
    `${comment ?? ''}\n`,
    '| column | type | meaning |',
    '|---|---|---|',
    ...rows,
  ].join('\n')
}

/** Join columns. The schema has no foreign keys, because on a distributed PostgreSQL its tables may be on different nodes. */
const JOINS = [
  ['tal_member', '||--o|', 'company', 'domain'],
  ['company', '||--o{', 'person', 'domain = company_domain'],
  ['company', '||--o{', 'signal', 'domain = company_domain'],
  ['company', '||--o{', 'history_event', 'domain'],
  ['person', '||--o{', 'history_event', 'email_hash = key'],
  ['firm', '|o--o{', 'company', 'website_domain = domain'],
  ['firm', '||--o{', 'firm_previous', 'firm_id'],
  ['freshness_target', '||--o{', 'tal_member', 'source'],
  ['submission', '}o--o{', 'tal_member', 'domains'],
] as const

/** The tables and their joins as a Mermaid diagram. Throws if a joined table does not exist. */
function diagram(relations: readonly Relation[]): string {
  const tables = relations.filter(({ kind }) => kind === 'table').map(({ name }) => name)
  for (const name of JOINS.flatMap(([from, , to]) => [from, to]))
    if (!tables.includes(name)) throw new Error(`unknown table in JOINS: warehouse.${name}`)
  return [
    '```mermaid',
    'erDiagram',
    ...tables.map((name) => `  ${name}`),
    ...JOINS.map(([from, how, to, by]) => `  ${from} ${how} ${to} : "${by}"`),
    '```\n',
  ].join('\n')
}
