import type { HostClient } from '../host/host-client.ts'
import type { Host } from '../host-profile/host.ts'
import { walkOffsets } from '../walk/offset-walk.ts'
import type { Raw } from '../warehouse/raw-record.ts'
import { isRaw } from '../warehouse/raw-record.ts'
import { limitsFrom, MAX_PULLS } from './pull-list.ts'
import type { FetchedRecord } from './read-record.ts'

/** The interface's maximum, then smaller limits of other hosts. */
const LIMITS = [200, 100, 50, 0]

export interface RecordReader {
  client: HostClient
  host: Host
  signal: AbortSignal
}

/**
 * Fetches a member's record with its groups, and its people, with two requests, plus one for each further page of
 * people.
 */
export async function fetchRecord(reader: RecordReader, domain: string): Promise<FetchedRecord> {
  const { client, host, signal } = reader
  const [company, people] = await Promise.all([
    client.companies.get(domain, { include: ['leadership', 'signals'] }, signal),
    fetchPersons(reader, domain),
  ])
  const [record] = company ? await host.translate('company', [company]) : []
  return {
    domain,
    record: record as Raw | undefined,
    persons: await translatePersons(host, people.persons),
    leaders: await translatePersons(host, listIn(company, 'leadership')),
    signals: await host.translate('signal', listIn(company, 'signals')),
    personsIncomplete: people.incomplete,
  }
}

const listIn = (company: Raw | undefined, group: string): unknown[] => {
  const list = company?.[group]
  return Array.isArray(list) ? list : []
}

/** People, with the values in the group `contact` merged into the person. */
const translatePersons = (host: Host, persons: readonly unknown[]): Promise<unknown[]> =>
  host.translate(
    'person',
    persons.map((person) => (isRaw(person) && isRaw(person['contact']) ? { ...person, ...person['contact'] } : person)),
  )

/** The interface defines a limit but no offset here. A list that changes between two pages is pulled again. */
async function fetchPersons(
  { client, host, signal }: RecordReader,
  domain: string,
): Promise<{ persons: unknown[]; incomplete: string | undefined }> {
  for (let attempt = 1; ; attempt += 1) {
    const persons = new Map<string, unknown>()
    const walk = await walkOffsets(
      async (query) => {
        const { persons: items, total } = await client.companies.persons(
          domain,
          { include: ['contact'], ...query },
          signal,
        )
        return { items, total }
      },
      async ({ items }) => {
        const before = persons.size
        for (const person of items) persons.set(JSON.stringify(person), person)
        return persons.size > before
      },
      {
        limits: limitsFrom(host.profile.limits.persons, LIMITS),
        totals: host.profile.totals.persons,
        keyOf: (person) => JSON.stringify(person),
        name: `the list of people of ${domain}`,
        nouns: 'people',
      },
    )
    await host.learnTotals('persons', walk.totals)
    await host.learnLimit('persons', walk.limit)
    const { total, received, incomplete_reasons } = walk
    const incomplete =
      incomplete_reasons[0] ??
      (total !== undefined && total !== received
        ? `${domain} has ${total} people, but ${received} were pulled`
        : undefined)
    if (incomplete === undefined || !walk.isPaged || attempt === MAX_PULLS)
      return { persons: [...persons.values()], incomplete }
  }
}
