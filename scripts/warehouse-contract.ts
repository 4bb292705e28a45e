import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** A column, which the Open Data Contract Standard calls a property. */
interface Property {
  name: string
  logicalType: string
  /** PostgreSQL's name for the type. */
  physicalType: string
  required: boolean
  primaryKey: boolean
  primaryKeyPosition: number
  description: string
}

interface SchemaObject {
  name: string
  physicalName: string
  physicalType: 'table' | 'view'
  description: string
  properties: Property[]
}

/** The tables and columns that analysts can rely on, as an ODCS 3 document. */
export interface WarehouseContract {
  apiVersion: 'v3.0.2'
  kind: 'DataContract'
  id: string
  name: string
  version: string
  status: 'active'
  description: { purpose: string; usage: string }
  schema: SchemaObject[]
}

/** Returns the contract of a migrated warehouse, for the `warehouse` and `bi` schemas. */
export async function readContract(db: Kysely<never>, version: string): Promise<WarehouseContract> {
  const { rows } = await sql<SchemaObject>`
    select n.nspname || '.' || c.relname as name, n.nspname || '.' || c.relname as "physicalName",
      case c.relkind when 'v' then 'view' else 'table' end as "physicalType", obj_description(c.oid, 'pg_class') as description,
      json_agg(json_build_object(
        'name', a.attname,
        'logicalType', case
          when a.attndims > 0 then 'array'
          when t.typcategory = 'B' then 'boolean'
          when t.typname in ('int2', 'int4', 'int8') then 'integer'
          when t.typcategory = 'N' then 'number'
          when t.typcategory = 'D' then 'date'
          when t.typname in ('json', 'jsonb') then 'object'
          else 'string' end,
        'physicalType', format_type(a.atttypid, a.atttypmod),
        'required', a.attnotnull,
        'primaryKey', k.position is not null,
        'primaryKeyPosition', coalesce(k.position, -1),
        'description', col_description(c.oid, a.attnum)
      ) order by a.attnum) as properties
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('warehouse', 'bi')
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
    left join lateral unnest(i.indkey::smallint[]) with ordinality as k (attnum, position) on k.attnum = a.attnum
    where c.relkind in ('r', 'v', 'p', 'm')
    group by n.nspname, c.oid, c.relname, c.relkind
    order by n.nspname, c.relname
  `.execute(db)
  return {
    apiVersion: 'v3.0.2',
    kind: 'DataContract',
    id: 'talhouse-warehouse',
    name: 'talhouse warehouse',
    version,
    status: 'active',
    description: {
      purpose: 'Firms, companies, people and signals, with their history, freshness and spending',
      usage: 'Read with PostgreSQL as talhouse_analyst, or from snapshots',
    },
    schema: rows,
  }
}

/** Differences between two contracts, as sentences. */
export interface ContractChanges {
  /** Changes that can break an existing query or change its meaning. */
  breaking: string[]
  compatible: string[]
}

export function compareContracts(before: WarehouseContract, after: WarehouseContract): ContractChanges {
  const changes: ContractChanges = { breaking: [], compatible: [] }
  for (const old of before.schema) {
    const now = after.schema.find(({ name }) => name === old.name)
    if (now) compareColumns(old, now, changes)
    else changes.breaking.push(`${old.name} was removed`)
  }
  for (const { name } of after.schema)
    if (!before.schema.some((old) => old.name === name)) changes.compatible.push(`${name} was added`)
  return changes
}

function compareColumns(before: SchemaObject, after: SchemaObject, { breaking, compatible }: ContractChanges): void {
  const keys = (object: SchemaObject) =>
    object.properties
      .filter(({ primaryKey }) => primaryKey)
      .sort((a, b) => a.primaryKeyPosition - b.primaryKeyPosition)
      .map(({ name }) => name)
      .join(', ')
  if (keys(before) !== keys(after))
    breaking.push(`the key of ${before.name} was (${keys(before)}) and is (${keys(after)})`)
  if (before.description !== after.description) compatible.push(`the description of ${before.name} changed`)
  for (const old of before.properties) {
    const column = `${before.name}.${old.name}`
    const now = after.properties.find(({ name }) => name === old.name)
    if (!now) {
      breaking.push(`${column} was removed`)
      continue
    }
    if (old.physicalType !== now.physicalType)
      (isWider(old.physicalType, now.physicalType) ? compatible : breaking).push(
        `${column} was ${old.physicalType} and is ${now.physicalType}`,
      )
    if (old.required && !now.required) breaking.push(`${column} can now be null`)
    if (!old.required && now.required) compatible.push(`${column} can no longer be null`)
    if (old.description !== now.description) compatible.push(`the description of ${column} changed`)
  }
  for (const { name } of after.properties)
    if (!before.properties.some((old) => old.name === name)) compatible.push(`${before.name}.${name} was added`)
}

/** For each type, the wider types that store all its values and behave the same in queries. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  smallint: ['integer', 'bigint', 'numeric'],
  integer: ['bigint', 'numeric'],
  bigint: ['numeric'],
  real: ['double precision'],
  json: ['jsonb'],
}

function isWider(before: string, after: string): boolean {
  if (/^numeric\(/.test(before)) return after === 'numeric'
  if (/^character varying/.test(before)) return after === 'text'
  return WIDER[before]?.includes(after) ?? false
}

/**
 * Returns the version after the changes: a new major version for breaking changes, a new minor version for compatible
 * changes.
 */
export function nextVersion(version: string, { breaking, compatible }: ContractChanges): string {
  const [major = 1, minor = 0] = version.split('.').map(Number)
  if (breaking.length > 0) return `${major + 1}.0.0`
  return compatible.length > 0 ? `${major}.${minor + 1}.0` : version
}
