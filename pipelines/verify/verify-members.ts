import { eachAtOnce } from '../each-at-once.ts'
import { fetchRecord } from '../members/fetch-record.ts'
import type { PulledList } from '../members/pull-list.ts'
import { pullList } from '../members/pull-list.ts'
import { readRecord } from '../members/read-record.ts'
import type { Row } from '../members/read-row.ts'
import { isUnfit, readRow } from '../members/read-row.ts'
import type { RowShape } from '../members/row-shape.ts'
import { COMPANY, MEMBER, PERSON, SIGNAL, SQL_TYPES } from '../members/row-shape.ts'
import type { RunContext } from '../pipeline.ts'
import type { Comparable } from './compare-rows.ts'
import { compareRows } from './compare-rows.ts'
import type { Difference, Verification } from './difference.ts'

export type MemberReader = Pick<RunContext, 'client' | 'warehouse' | 'settings' | 'signal'>

/**
 * Compares the list, and the records, people and news of its members, with what the service shows. `sample` bounds how many members'
 * records are fetched (two requests each), spread evenly over the list; all of them by default.
 */
export async function verifyMembers(
  reader: MemberReader,
  { sample = Number.POSITIVE_INFINITY } = {},
): Promise<Verification> {
  const { db } = reader.warehouse
  const list = await pullList(reader.client, reader.signal)
  const verification: Verification = {
    compared: list.members.size,
    differences: await compareList(reader, list),
    notes: [...list.doubts],
  }
  const domains = evenly([...list.members.keys()], sample)
  if (domains.length < list.members.size)
    verification.notes.push(`the records of ${domains.length} of ${list.members.size} members were compared: --sample`)
  await eachAtOnce(domains, reader.settings.concurrency, reader.signal, async (domain) => {
    const record = readRecord(await fetchRecord(reader.client, domain, reader.signal))
    const found: Difference[] = [
      ...(await compare(reader, COMPANY, 'company', domain, record.company ? [record.company] : [])),
      ...(await compare(reader, PERSON, 'person', domain, record.persons)),
      ...(await compare(reader, SIGNAL, 'signal', domain, record.signals)),
    ]
    if (record.allPersons) {
      const present = new Set(record.persons.map(({ person_key }) => person_key))
      const standing = await db
        .selectFrom('warehouse.person')
        .select('person_key')
        .where('company_domain', '=', domain)
        .execute()
      for (const { person_key } of standing)
        if (!present.has(person_key)) found.push({ kind: 'extra', entity: 'person', key: domain, record: person_key })
    }
    verification.compared += 1 + record.persons.length + record.signals.length
    verification.differences.push(...found)
  })
  verification.differences.sort((a, b) => a.key.localeCompare(b.key))
  return verification
}

async function compareList(reader: MemberReader, list: PulledList): Promise<Difference[]> {
  const rows = [...list.members]
    .map(([domain, entry]) => readRow(MEMBER, { domain }, entry))
    .filter((row) => !isUnfit(row))
  const differences = await compare(reader, MEMBER, 'tal_member', undefined, rows as Row[])
  const standing = await reader.warehouse.db
    .selectFrom('warehouse.tal_member')
    .select('domain')
    .where('gone_at', 'is', null)
    .execute()
  // A list that is not proved complete says nothing about who is not on it.
  if (list.doubts.length === 0)
    for (const { domain } of standing)
      if (!list.members.has(domain)) differences.push({ kind: 'extra', entity: 'tal_member', key: domain })
  return differences
}

async function compare(
  { warehouse }: MemberReader,
  shape: RowShape,
  entity: string,
  domain: string | undefined,
  rows: readonly Row[],
): Promise<Difference[]> {
  return (await compareRows(warehouse.db, comparable(shape), rows)).map(({ key, fields }) => ({
    kind: fields ? 'differs' : 'missing',
    entity,
    key: domain ?? (key[0] as string),
    ...(key.length > 1 && { record: key.at(-1) as string }),
    ...(fields && { fields }),
  }))
}

const comparable = ({ table, key, columns }: RowShape): Comparable => ({
  table,
  key,
  columns: Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, SQL_TYPES[type]])),
})

/** So many of the items, spread evenly. */
export function evenly<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items]
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)] as Item)
}
