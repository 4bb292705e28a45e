import type { Host } from '../host-profile/host.ts'
import type { Raw } from '../warehouse/raw-record.ts'
import { isRaw } from '../warehouse/raw-record.ts'
import type { RawMember } from './raw-member.ts'
import { listIn } from './raw-member.ts'
import type { FetchedRecord } from './read-record.ts'

/** Translates a member's record to the interface's field names and terms. */
export async function translateRecord(
  host: Host,
  { domain, company, persons, personsIncomplete }: RawMember,
): Promise<FetchedRecord> {
  const [record] = company ? await host.translate('company', [company]) : []
  return {
    domain,
    record: record as Raw | undefined,
    persons: await translatePersons(host, persons),
    leaders: await translatePersons(host, listIn(company, 'leadership')),
    signals: await host.translate('signal', listIn(company, 'signals')),
    personsIncomplete,
  }
}

/** The record's people, each merged with the values in the `contact` group. */
const translatePersons = (host: Host, persons: readonly unknown[]): Promise<unknown[]> =>
  host.translate(
    'person',
    persons.map((person) => (isRaw(person) && isRaw(person['contact']) ? { ...person, ...person['contact'] } : person)),
  )
