import { hash } from 'node:crypto'
import type { Raw } from '../warehouse/raw-record.ts'
import { isRaw } from '../warehouse/raw-record.ts'
import type { RejectedRecord } from '../warehouse/rejected-record.ts'
import { reject } from '../warehouse/rejected-record.ts'
import { mergePersons } from './merge-persons.ts'
import { readProvenance } from './read-provenance.ts'
import type { Row } from './read-row.ts'
import { isRejectedRecord, readRow } from './read-row.ts'
import type { RowShape } from './row-shape.ts'
import { COMPANY, COMPANY_PROVENANCE, PERSON, PERSON_PROVENANCE, SIGNAL } from './row-shape.ts'

/** A member's company, people and signals, ready to be written, and the records that were rejected. */
export interface MemberRecord {
  domain: string
  company: Row | undefined
  persons: Row[]
  signals: Row[]
  companyProvenance: Row[]
  personProvenance: Row[]
  rejected: { entity: string; reject: RejectedRecord }[]
  /** The reason `persons` may be incomplete. If set, missing people are not erased. */
  personsIncomplete: string | undefined
  /**
   * Date of the oldest returned story. Null if all existing stories were returned, undefined if the response has no
   * list of stories.
   */
  oldestSignal: string | null | undefined
}

/** The service's responses for one member, translated by the host profile. */
export interface FetchedRecord {
  domain: string
  /** Undefined if the service has no such record. */
  record: Raw | undefined
  persons: readonly unknown[]
  leaders: readonly unknown[]
  signals: readonly unknown[]
  personsIncomplete: string | undefined
}

export function readRecord({ domain, record, personsIncomplete, ...fetched }: FetchedRecord): MemberRecord {
  const read: MemberRecord = {
    domain,
    company: undefined,
    persons: [],
    signals: [],
    companyProvenance: [],
    personProvenance: [],
    rejected: [],
    personsIncomplete,
    oldestSignal: undefined,
  }
  const take = (entity: string, shape: RowShape, key: Record<string, string | number>, raw: Raw): Row | undefined => {
    const row = readRow(shape, key, raw)
    if (!isRejectedRecord(row)) return row
    read.rejected.push({ entity, reject: reject(raw, Object.values(key).join(' / '), row.reason) })
    return undefined
  }
  if (record) {
    read.company = take('company', COMPANY, { domain }, record)
    read.companyProvenance = readProvenance(record).flatMap(
      ({ field, position, record: raw }) =>
        take('company_provenance', COMPANY_PROVENANCE, { domain, field, position }, raw) ?? [],
    )
  }
  for (const { key, raw } of mergePersons(fetched.persons.filter(isRaw), fetched.leaders.filter(isRaw))) {
    const of = { company_domain: domain, person_key: key }
    const person = take('person', PERSON, of, raw)
    if (!person) continue
    read.persons.push(person)
    const { person_id, email_hash } = person
    // Without an id or an address, an erasure could not find the rows.
    if (person_id === null && email_hash === null) continue
    for (const { field, position, record: source } of readProvenance(raw)) {
      const row = take(
        'person_provenance',
        PERSON_PROVENANCE,
        { ...of, field, position },
        { ...source, person_id, email_hash },
      )
      if (row) read.personProvenance.push(row)
    }
  }
  read.signals = unique(
    fetched.signals
      .filter(isRaw)
      .map((raw) => take('signal', SIGNAL, { company_domain: domain, signal_key: signalKey(raw) }, raw)),
    ({ signal_key }) => String(signal_key),
  )
  if (Array.isArray(record?.['signals'])) read.oldestSignal = oldestDate(read.signals)
  return read
}

/**
 * Returns the date of the oldest story, or null if the list contains an undated story: hosts return undated stories
 * last, so the list is complete.
 */
function oldestDate(signals: readonly Row[]): string | null {
  const dates = signals.map(({ published_on }) => published_on as string | null)
  return dates.includes(null) ? null : (dates.toSorted()[0] ?? null)
}

const signalKey = (raw: Raw): string =>
  hash('md5', JSON.stringify([raw['type'], raw['published_on'], raw['url'], raw['headline']]))

function unique(rows: (Row | undefined)[], keyOf: (row: Row) => string): Row[] {
  return [...new Map(rows.filter((row) => row !== undefined).map((row) => [keyOf(row), row])).values()]
}
