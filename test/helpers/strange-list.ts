import type { Fields, StrangeWorld } from './strange-world.ts'

/** Responds to list requests, paged as `world.behavior.list` specifies. */
export function changeList(
  world: StrangeWorld,
  method: string,
  query: URLSearchParams,
  body: Fields,
): [number, unknown] {
  const domains = (body['domains'] as string[] | undefined) ?? []
  if (method === 'POST') for (const domain of domains) world.tal.push({ domain, source: String(body['source'] ?? '') })
  if (method === 'DELETE') world.tal = world.tal.filter(({ domain }) => !domains.includes(domain))
  return method === 'GET' ? readList(world, query) : [200, { ok: true }]
}

function readList(world: StrangeWorld, query: URLSearchParams): [number, unknown] {
  const { list = {} } = world.behavior
  const pageSize = list.pageSize ?? Number.POSITIVE_INFINITY
  const asked = query.has('limit') ? Number(query.get('limit')) : undefined
  if (list.rejectsLargeLimits && asked !== undefined && asked > pageSize)
    return [422, { detail: `limit must not exceed ${pageSize}` }]
  const cursor = query.get('cursor')
  if (list.cursors && cursor !== null && Number(query.get('offset') ?? 0) > 0)
    return [422, { detail: 'cursor and offset cannot be combined' }]
  const offset = list.honorsOffset ? Number(query.get('offset') ?? 0) : 0
  const limit = Math.min(pageSize, list.honorsLimit && asked !== undefined ? asked : pageSize)
  const rest = list.cursors ? entriesAfter(world, cursor) : world.tal.slice(offset)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const companies = page.map((entry) => entryOf(world, entry))
  const total = list.total === 'page' ? companies.length : world.tal.length
  return [
    200,
    {
      companies,
      ...(list.total && { total }),
      ...(list.echoes && { offset, limit: asked ?? 50 }),
      ...(list.cursors && last && rest.length > limit && { next_cursor: `after ${last.domain}` }),
    },
  ]
}

/** Returns the entries after a cursor, ordered by domain. */
function entriesAfter({ tal }: StrangeWorld, cursor: string | null): StrangeWorld['tal'] {
  const after = cursor?.slice('after '.length) ?? ''
  const sorted = tal.toSorted((a, b) => (a.domain < b.domain ? -1 : 1))
  return sorted.filter(({ domain }) => domain > after)
}

export const recordOf = (world: StrangeWorld, domain: string): Fields | undefined => {
  const company = world.companies.get(domain)
  return company && world.reportsHistory
    ? {
        ...company,
        history_at: historyAt(world, domain),
        ...(world.updatedAt && { updated_at: world.updatedAt.get(domain) ?? null }),
      }
    : company
}

const entryOf = (world: StrangeWorld, entry: StrangeWorld['tal'][number]): Fields =>
  world.reportsHistory ? { ...recordOf(world, entry.domain), ...entry } : entry

/** Returns the time of the newest event for a company and its people. */
function historyAt(world: StrangeWorld, domain: string): string | null {
  const people = (world.persons.get(domain) ?? []).map(({ email_hash }) => String(email_hash))
  const moments = [domain, ...people].flatMap((key) => (world.events.get(key) ?? []).map((event) => event.changed_at))
  return (
    moments
      .filter((moment) => !Number.isNaN(Date.parse(moment)))
      .toSorted()
      .at(-1) ?? null
  )
}
