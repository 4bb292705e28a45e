import type { Kysely } from 'kysely'
import { readDictionary } from '../pipelines/operations/dictionary.ts'
import type { WarehouseDictionary } from '../src/contract/warehouse-query.ts'

type Relation = WarehouseDictionary['tables'][number]

/** Documents the `warehouse` schema as Markdown: its tables, views and functions with their comments. */
export async function documentWarehouse(db: Kysely<never>): Promise<string> {
  const { tables: relations, functions } = await readDictionary(db)
  return [
    '## Tables\n',
    joinTable(relations),
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

/**
 * Join columns. The schema has no foreign keys, because its tables may be on different nodes of a distributed
 * PostgreSQL.
 */
const JOINS = [
  ['tal_member', 'one to at most one', 'company', 'domain'],
  ['company', 'one to many', 'person', 'domain = company_domain'],
  ['company', 'one to many', 'signal', 'domain = company_domain'],
  ['company', 'one to many', 'history_event', 'domain'],
  ['company', 'one to many', 'company_provenance', 'domain'],
  ['person', 'one to many', 'person_provenance', 'person_key'],
  ['company', 'one to many', 'former_person', 'domain = company_domain'],
  ['person', 'one to many', 'history_event', 'person_key = key'],
  ['former_person', 'one to many', 'history_event', 'person_key = key'],
  ['firm', 'at most one to many', 'company', 'website_domain = domain'],
  ['firm', 'one to many', 'firm_previous', 'firm_id'],
  ['freshness_target', 'one to many', 'tal_member', 'source'],
  ['submission', 'many to many', 'tal_member', 'domains'],
] as const

/** Documents the joins between tables as a Markdown table. Throws if a joined table does not exist. */
function joinTable(relations: readonly Relation[]): string {
  const tables = relations.filter(({ kind }) => kind === 'table').map(({ name }) => name)
  for (const name of JOINS.flatMap(([from, , to]) => [from, to]))
    if (!tables.includes(name)) throw new Error(`unknown table in JOINS: warehouse.${name}`)
  return [
    '| table | joins | by | rows |',
    '|---|---|---|---|',
    ...JOINS.map(([from, how, to, by]) => `| ${from} | ${to} | ${by} | ${how} |`),
    '',
  ].join('\n')
}
