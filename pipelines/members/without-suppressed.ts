import { hash } from 'node:crypto'
import { redactNames } from '../../src/personal-data/matcher.ts'
import type { NamedPerson } from '../erasures/marks-in-row.ts'
import { peopleInRejected, peopleInRow } from '../erasures/marks-in-row.ts'
import type { Suppression } from '../erasures/suppression.ts'
import type { MemberRecord } from './read-record.ts'
import type { Row } from './read-row.ts'

/** Returns the record without suppressed people. These people may have been erased after the record was fetched. */
export async function withoutSuppressed(record: MemberRecord, { macs, find }: Suppression): Promise<MemberRecord> {
  const persons = record.persons.map((row) => ({ row, people: peopleInRow('person', row, macs) }))
  const signals = record.signals.map((row) => ({ row, people: peopleInRow('signal', row, macs) }))
  const rejected = record.rejected.map((row) => ({
    row,
    people: peopleInRejected(row.reject.record, row.reject.key, macs),
  }))
  const about = record.company ? peopleInRow('company', record.company, macs) : []
  const sources = record.companyProvenance.map((row) => ({
    row,
    people: peopleInRow('company_provenance', row, macs),
  }))
  const all = [...persons, ...signals, ...sources, ...rejected].flatMap(({ people }) => people)
  const suppressed = await find([...all, ...about].flatMap((person) => person.macs))
  if (suppressed.size === 0) return record
  const isNamed = (person: NamedPerson): boolean => person.macs.some((mac) => suppressed.has(mac))
  const allowed = <Item>(items: readonly { row: Item; people: NamedPerson[] }[]): Item[] =>
    items.flatMap(({ row, people }) => (people.some(isNamed) ? [] : [row]))
  const names = new Set(about.filter(isNamed).map(({ marks }) => marks.full_name))
  const staying = allowed(persons)
  const keys = new Set(staying.map(({ person_key }) => person_key))
  return {
    ...record,
    companyProvenance: allowed(sources),
    personProvenance: record.personProvenance.filter(({ person_key }) => keys.has(person_key)),
    company: record.company && withoutNames(record.company, names),
    persons: staying,
    signals: allowed(signals),
    rejected: allowed(rejected),
  }
}

function withoutNames(company: Row, names: ReadonlySet<unknown>): Row {
  if (names.size === 0) return company
  const description = redactNames(String(company['description']), (run) => names.has(run))
  return { ...company, description, row_hash: hash('md5', `${company.row_hash} ${description}`) }
}
