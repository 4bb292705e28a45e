import { hash } from 'node:crypto'
import { isKey } from '../warehouse/record-key.ts'
import type { RejectedRecord } from '../warehouse/rejected-record.ts'
import { reject } from '../warehouse/rejected-record.ts'
import type { Raw, Row } from './read-row.ts'
import { isRaw, isRejectedRecord, readRow } from './read-row.ts'
import type { RowShape } from './row-shape.ts'
import { COMPANY, PERSON, SIGNAL } from './row-shape.ts'

/** A member's record with its people and signals, ready to be written, and the rejected records. */
export interface MemberRecord {
  domain: string
  company: Row | undefined
  persons: Row[]
  signals: Row[]
  rejected: { entity: string; reject: RejectedRecord }[]
  /** Whether `persons` is complete. Only then are missing people erased. */
  allPersons: boolean
  /** Date of the oldest returned story; null if all that exist were returned, undefined if none were requested. */
  oldestSignal: string | null | undefined
}

/** The service's replies for one member. */
export interface FetchedRecord {
  domain: string
  /** Undefined if the service has no such record. */
  record: Raw | undefined
  persons: readonly unknown[]
  allPersons: boolean
}

export function readRecord({ domain, record, persons, allPersons }: FetchedRecord): MemberRecord {
  const read: MemberRecord = {
    domain,
    company: undefined,
    persons: [],
    signals: [],
    rejected: [],
    allPersons,
    oldestSignal: undefined,
  }
  const take = (entity: string, shape: RowShape, key: Record<string, string>, raw: Raw): Row | undefined => {
    const row = readRow(shape, key, raw)
    if (!isRejectedRecord(row)) return row
    read.rejected.push({ entity, reject: reject(raw, Object.values(key).join(' / '), row.reason) })
    return undefined
  }
  if (record) read.company = take('company', COMPANY, { domain }, record)
  read.persons = unique(
    merged(domain, persons, listOf(record?.['leadership'])).map(({ key, raw }) =>
      take('person', PERSON, { company_domain: domain, person_key: key }, raw),
    ),
    ({ person_key }) => String(person_key),
  )
  read.signals = unique(
    listOf(record?.['signals']).map((raw) =>
      take(
        'signal',
        SIGNAL,
        { company_domain: domain, signal_key: signalKey(raw) },
        { ...raw, published_on: raw['date'] },
      ),
    ),
    ({ signal_key }) => String(signal_key),
  )
  if (Array.isArray(record?.['signals'])) read.oldestSignal = oldestDate(read.signals)
  return read
}

/** Hosts return the newest stories first, and undated ones last. */
function oldestDate(signals: readonly Row[]): string | null {
  const dates = signals.map(({ published_on }) => published_on as string | null)
  return dates.includes(null) ? null : (dates.toSorted()[0] ?? null)
}

const listOf = (value: unknown): Raw[] => (Array.isArray(value) ? value.filter(isRaw) : [])

/** One record per person: people and leaders merged by key, with nested groups flattened. */
function merged(domain: string, persons: readonly unknown[], leaders: Raw[]): { key: string; raw: Raw }[] {
  const people = new Map<string, Raw>()
  for (const raw of listOf(persons)) people.set(personKey(raw), { ...raw, ...flat(raw['contact']), is_leader: false })
  for (const leader of leaders) {
    const key = personKey(leader)
    people.set(key, { ...leader, ...people.get(key), company_domain: domain, is_leader: true })
  }
  return [...people].map(([key, raw]) => ({ key, raw }))
}

const flat = (group: unknown): Raw => (isRaw(group) ? group : {})

function personKey(raw: Raw): string {
  if (isKey(raw['email_hash'])) return raw['email_hash']
  if (typeof raw['email'] === 'string' && raw['email'] !== '')
    return hash('sha256', raw['email'].toLowerCase()).slice(0, 16)
  return `name:${hash('md5', String(raw['full_name'] ?? '').toLowerCase()).slice(0, 16)}`
}

const signalKey = (raw: Raw): string =>
  hash('md5', JSON.stringify([raw['type'], raw['date'], raw['url'], raw['headline']]))

function unique(rows: (Row | undefined)[], keyOf: (row: Row) => string): Row[] {
  return [...new Map(rows.filter((row) => row !== undefined).map((row) => [keyOf(row), row])).values()]
}
