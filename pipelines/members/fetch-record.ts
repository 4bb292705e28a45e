import type { HostClient } from '../host/host-client.ts'
import type { FetchedRecord } from './read-record.ts'

const PERSONS = 200

/** Fetches a member's record with its groups, and its people: two requests, plus one for each further 200 people. */
export async function fetchRecord(client: HostClient, domain: string, signal: AbortSignal): Promise<FetchedRecord> {
  const [record, { persons, all }] = await Promise.all([
    client.companies.get(domain, { include: ['leadership', 'signals'] }, signal),
    fetchPersons(client, domain, signal),
  ])
  return { domain, record, persons, allPersons: all }
}

/** The interface defines a limit but no offset here, so only a host that returns an offset is paged. */
async function fetchPersons(
  client: HostClient,
  domain: string,
  signal: AbortSignal,
): Promise<{ persons: unknown[]; all: boolean }> {
  const persons: unknown[] = []
  for (;;) {
    const page = await client.companies.persons(
      domain,
      { include: ['contact'], limit: PERSONS, ...(persons.length > 0 && { offset: persons.length }) },
      signal,
    )
    persons.push(...page.persons)
    const total = typeof page.total === 'number' ? page.total : undefined
    const limit = typeof page.limit === 'number' ? page.limit : PERSONS
    if (total !== undefined ? persons.length >= total : page.persons.length < limit) return { persons, all: true }
    if (typeof page.offset !== 'number' || page.persons.length === 0) return { persons, all: false }
  }
}
