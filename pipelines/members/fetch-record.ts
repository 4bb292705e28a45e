import type { HostClient } from '../host/host-client.ts'
import type { Host } from '../host-profile/host.ts'
import type { PipelineSettings } from '../runner/settings.ts'
import { walkList } from '../walk/walk-list.ts'
import { limitsFrom, MAX_PULLS } from './pull-list.ts'
import type { RawMember } from './raw-member.ts'
import type { FetchedRecord } from './read-record.ts'
import { translateRecord } from './translate-record.ts'

/** Page sizes to try: the interface's maximum, then smaller sizes that other hosts may require. */
const LIMITS = [200, 100, 50, 0]

export interface RecordReader {
  client: HostClient
  host: Host
  settings: { readonly members: Pick<PipelineSettings['members'], 'provenance'> }
  signal: AbortSignal
}

/** Fetches and translates a member's record. */
export const fetchRecord = async (reader: RecordReader, domain: string): Promise<FetchedRecord> =>
  await translateRecord(reader.host, await fetchRawMember(reader, domain))

/**
 * Fetches a member's record, including its field groups and people. Sends two requests, plus one for each further page
 * of people.
 */
export async function fetchRawMember(reader: RecordReader, domain: string): Promise<RawMember> {
  const { client, settings, signal } = reader
  const sources = settings.members.provenance !== 'none' && { include_provenance: true }
  const [company, people] = await Promise.all([
    client.companies.get(domain, { include: ['leadership', 'signals'], ...sources }, signal),
    fetchPersons(reader, domain),
  ])
  return { domain, company, persons: people.persons, personsIncomplete: people.incomplete }
}

/**
 * Fetches several members' records with two requests, which are talhouse extensions. Returns the records by domain.
 * Members that a response does not contain completely are absent. Returns undefined if the service does not support
 * these requests, or if provenance is pulled, which their responses do not contain.
 */
export async function fetchRawMembers(
  { client, settings, signal }: RecordReader,
  domains: readonly string[],
): Promise<ReadonlyMap<string, RawMember> | undefined> {
  if (settings.members.provenance !== 'none') return undefined
  const people = await client.persons.batchRead({ domains, include: ['contact'] }, signal)
  if (!people) return undefined
  const complete = new Map(
    people.companies.flatMap(({ domain, persons, total }) =>
      persons.length === total ? [[domain, persons] as const] : [],
    ),
  )
  // Members with many people are not requested, because their leadership would make the response large.
  const requested = domains.filter((domain) => complete.has(domain))
  if (requested.length === 0) return new Map()
  const found = await client.companies.batchRead({ domains: requested, include: ['leadership', 'signals'] }, signal)
  if (!found) return undefined
  const companies = new Map(found.companies.map((company) => [company['domain'], company]))
  return new Map(
    requested.flatMap((domain): [string, RawMember][] => {
      const [company, persons] = [companies.get(domain), complete.get(domain)]
      return company && persons ? [[domain, { domain, company, persons, personsIncomplete: undefined }]] : []
    }),
  )
}

/**
 * Fetches a company's people. The interface defines a limit but no offset for this list. If the list changes between
 * two pages, pulls the list again.
 */
async function fetchPersons(
  { client, host, settings, signal }: RecordReader,
  domain: string,
): Promise<{ persons: unknown[]; incomplete: string | undefined }> {
  const sources = settings.members.provenance === 'all' && { include_provenance: true }
  for (let attempt = 1; ; attempt += 1) {
    const persons = new Map<string, unknown>()
    const walk = await walkList(
      async (query) => {
        const { persons: items, total } = await client.companies.persons(
          domain,
          { include: ['contact'], ...sources, ...query },
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
        name: `the list of people at ${domain}`,
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
