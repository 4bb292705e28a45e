import type { Kysely } from 'kysely'
import { readDictionary } from '../pipelines/operations/dictionary.ts'
import type { WarehouseDictionary } from '../src/contract/warehouse-query.ts'

type Relation = WarehouseDictionary['tables'][number]

/** Documents the schema `warehouse` as Markdown: its tables, views and functions with their comments. */
export async function documentWarehouse(db: Kysely<never>): Promise<string> {
  const { tables: relations, functions } = await readDictionary(db)
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
  ['company', '||--o{', 'company_provenance', 'domain'],
  ['person', '||--o{', 'person_provenance', 'person_key'],
  ['company', '||--o{', 'former_person', 'domain = company_domain'],
  ['person', '||--o{', 'history_event', 'person_key = key'],
  ['former_person', '||--o{', 'history_event', 'person_key = key'],
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
