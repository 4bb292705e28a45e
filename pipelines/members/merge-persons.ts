import { hash } from 'node:crypto'
import { refuseMasked } from '../host/refuse-masked.ts'
import type { Raw } from '../warehouse/raw-record.ts'
import { isKey } from '../warehouse/record-key.ts'

/** A person's record with the key of its row. */
export interface KeyedPerson {
  key: string
  raw: Raw
}

/**
 * Merges a company's lists of people and of leaders into one record per person. A leader may be in both lists, with an
 * address only in the list of people. Two entries in the same list are different people even if their names are equal.
 * Throws `configuration` if contact data is masked.
 */
export function mergePersons(persons: readonly Raw[], leaders: readonly Raw[]): KeyedPerson[] {
  refuseMasked([...persons, ...leaders].flatMap(({ email, phone }) => [email, phone]))
  const people = new Map<string, Raw>()
  for (const raw of persons.map(withTextId)) people.set(freeKey(people, raw), { ...raw, is_leader: false })
  const unmatched = new Set(people.keys())
  for (const leader of leaders.map(withTextId)) {
    const known = findPerson(people, unmatched, leader)
    if (known !== undefined) unmatched.delete(known)
    const key = known ?? freeKey(people, leader)
    people.set(key, { ...leader, ...people.get(key), is_leader: true })
  }
  return [...people].map(([key, raw]) => ({ key, raw }))
}

/** Finds the entry in the list of people that matches a leader by key, or by name if the name is unique. */
function findPerson(people: ReadonlyMap<string, Raw>, unmatched: ReadonlySet<string>, leader: Raw): string | undefined {
  const key = personKey(leader)
  if (unmatched.has(key)) return key
  if (identityOf(leader) !== undefined) return undefined
  const sameName = [...unmatched].filter((other) => nameOf(people.get(other) as Raw) === nameOf(leader))
  return sameName.length === 1 ? sameName[0] : undefined
}

/**
 * Returns a person's key. A person without an identifying attribute gets a numbered key if another person has the same
 * name and title.
 */
function freeKey(people: ReadonlyMap<string, Raw>, raw: Raw): string {
  const key = personKey(raw)
  if (!people.has(key) || identityOf(raw) !== undefined) return key
  let number = 2
  while (people.has(`${key}-${number}`)) number += 1
  return `${key}-${number}`
}

const personKey = (raw: Raw): string =>
  identityOf(raw) ?? `name:${hash('md5', JSON.stringify([nameOf(raw), raw['title'] ?? ''])).slice(0, 16)}`

/** The attribute that identifies a person: a hash of the address or, without an address, the service's id. */
function identityOf(raw: Raw): string | undefined {
  const { email_hash, email, person_id } = raw
  if (isKey(email_hash)) return email_hash
  if (typeof email === 'string' && email !== '') return hash('sha256', email.toLowerCase()).slice(0, 16)
  return isKey(person_id) ? `id:${person_id}` : undefined
}

const withTextId = (raw: Raw): Raw =>
  typeof raw['person_id'] === 'number' ? { ...raw, person_id: String(raw['person_id']) } : raw

const nameOf = (raw: Raw): string => String(raw['full_name'] ?? '').toLowerCase()
