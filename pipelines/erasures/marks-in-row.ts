import type { Row } from '../../src/personal-data/judge-row.ts'
import type { Macs, PersonMarks } from '../../src/personal-data/macs.ts'

/** A person who may be named in a row, and the keyed hashes that identify the person. */
export interface NamedPerson {
  marks: PersonMarks
  macs: string[]
}

/**
 * Tables whose rows contain identifiers that are part of the keyed hashes. The other tables are searched for the
 * identifiers found in these tables.
 */
export const REVEALING_TABLES = [
  'person',
  'former_person',
  'history_event',
  'signal',
  'company',
  'company_provenance',
  'quarantine',
] as const

/** Returns the people who may be named in a row of one of these tables. */
export function peopleInRow(table: (typeof REVEALING_TABLES)[number], row: Row, macs: Macs): NamedPerson[] {
  const person = (marks: PersonMarks): NamedPerson[] => [{ marks, macs: macs.of(marks) }]
  const inTexts = (domain: string, texts: readonly unknown[]): NamedPerson[] =>
    [...macs.inText(domain, texts.filter((text) => typeof text === 'string').join('\n'))].map(([full_name, mac]) => ({
      marks: { company_domain: domain, full_name },
      macs: [mac],
    }))
  switch (table) {
    case 'person':
    case 'former_person':
      return person(marksOf(row, textOf(row['company_domain'])))
    case 'history_event':
      return row['entity'] === 'person'
        ? peopleInEvent(row).flatMap(person)
        : row['field'] === 'description'
          ? inTexts(String(row['domain']), [row['old_value'], row['new_value']])
          : []
    case 'signal':
      return inTexts(String(row['company_domain']), [row['headline'], row['about'], row['url']])
    case 'company':
      return inTexts(String(row['domain']), [row['description']])
    case 'company_provenance':
      return row['field'] === 'description' ? inTexts(String(row['domain']), [row['value'], row['raw_value']]) : []
    case 'quarantine':
      return peopleInRejected(row['record'], textOf(row['key']), macs)
  }
}

/** Returns the identifiers in a `person_key`, which is either an email_hash or `id:` followed by a person_id. */
const marksInKey = (key: string | null) => ({
  company_domain: null,
  email_hash: key,
  person_id: key?.startsWith('id:') ? key.slice('id:'.length) : null,
})

/**
 * Returns the person that an event is about. If the event changes the name, also returns an entry for the old and the
 * new name.
 */
function peopleInEvent(event: Row): PersonMarks[] {
  const names = event['field'] === 'full_name' ? [event['old_value'], event['new_value']].map(textOf) : []
  const inKey = marksInKey(textOf(event['key']))
  const marks = {
    ...inKey,
    company_domain: textOf(event['domain']),
    person_id: textOf(event['person_id']) ?? inKey.person_id,
  }
  return [marks, ...names.filter((name) => name !== null).map((full_name) => ({ ...marks, full_name }))]
}

/**
 * Returns the people who may be named in a rejected record. The record may have any shape. The record's key may be
 * `company / person`.
 */
export function peopleInRejected(record: unknown, key: string | null, macs: Macs): NamedPerson[] {
  if (typeof record !== 'object' || record === null) return []
  const given = record as Row
  const contact = typeof given['contact'] === 'object' && given['contact'] !== null ? (given['contact'] as Row) : {}
  const domain = textOf(given['company_domain']) ?? key?.split(' / ')[0] ?? null
  const marks = marksOf({ ...contact, ...given }, domain)
  const named = domain === null ? [] : [...macs.inText(domain, String(given['headline'] ?? ''))]
  return [
    { marks, macs: macs.of(marks) },
    ...named.map(([full_name, mac]) => ({ marks: { company_domain: domain, full_name }, macs: [mac] })),
  ]
}

/** Returns the people who may be named in a rejected event. The event's key is a `person_key` or a domain. */
export const peopleInRejectedEvent = (record: unknown, key: string | null, macs: Macs): NamedPerson[] => {
  const marks = marksInKey(key)
  return [{ marks, macs: macs.of(marks) }, ...peopleInRejected(record, null, macs)]
}

const marksOf = (row: Row, company_domain: string | null): PersonMarks => ({
  company_domain,
  person_id: textOf(row['person_id']),
  email_hash: textOf(row['email_hash']),
  full_name: textOf(row['full_name']),
  email: textOf(row['email']),
  social_url: textOf(row['social_url']),
})

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
