import { sql } from 'kysely'
import { erasures } from '../../pipelines/erasures/pipeline.ts'
import { history } from '../../pipelines/history/pipeline.ts'
import { talMembers } from '../../pipelines/members/pipeline.ts'
import type { Pipeline } from '../../pipelines/runner/pipeline.ts'
import { spending } from '../../pipelines/spending/pipeline.ts'
import type { DemoChanges } from '../../src/demo/later-edition.ts'
import type { DemoHouse } from './demo-house.ts'
import { eventually } from './eventually.ts'

// biome-ignore lint/suspicious/noExplicitAny: every response is validated against the OpenAPI document
type Json = any
type Row = Record<string, unknown>

const DAY_MS = 86_400_000
const UNKNOWN = 'no-such-company.example'
const CFO = /\b(cfo|chief financial officer)\b/i
const DEPARTURE = /\b(steps? down|stepping down|resigns?|retires?|departs?|leaves|leaving|exits?)\b/i

/**
 * Changes the service between two nightly runs: adds attributes and a nonexistent company to the list, makes two
 * accounts stale, and re-enriches the companies that changed in the demo web.
 */
export async function changeTheWorld(house: DemoHouse, run: (pipeline: Pipeline) => Promise<void>): Promise<void> {
  const { service, domains, changeWeb } = house
  const { hired, moved, promoted, relocated } = changesOf(house)
  const entries = domains.map((domain, place) => ({
    domain,
    attributes: { owner: place % 3 === 0 ? 'Kim' : 'Lee', tier: place % 2 === 0 ? '1' : '2' },
  }))
  await post(house, '/v2/clients/me/tal/companies', { entries: [...entries, { domain: UNKNOWN }], source: 'demo' })
  changeWeb()
  const changed = [hired.domain, moved.from, moved.to, promoted.domain, relocated.domain]
  const tasks: string[] = []
  for (const domain of [...changed, UNKNOWN]) {
    const body = { domain, include_leadership: true, include_signals: true, force: true }
    tasks.push((await post(house, '/v2/enrich/company', body)).task_id)
  }
  for (const id of tasks)
    await eventually('the task ends', async () => (await get(house, `/v2/tasks/${id}`)).completed_at)
  await sql`
    update company set enriched_at = now() - interval '9 days'
    where domain in (
      select domain from company where enrichment_status = 'complete' and domain <> all (${changed}::text[]) order by domain limit 2
    )`.execute(service.db)
  // The second pull also refreshes members that the first nightly run did not change, with the sources of their values.
  for (const pipeline of [erasures, talMembers, history, spending]) await run(pipeline)
}

/**
 * Returns the expected rows for a question, computed from the service's API and the planted changes, without the
 * warehouse's SQL.
 */
export async function answer(house: DemoHouse, question: number): Promise<Row[]> {
  const compute = ANSWERS[question]
  if (!compute) throw new Error(`question ${question} has no independent answer`)
  return await compute(house)
}

const ANSWERS: Record<number, (house: DemoHouse) => Promise<Row[]>> = {
  21: async ({ service }) => {
    const firms = await service.db.selectFrom('firm').select(['as_of', 'state', 'aum_total_usd']).execute()
    return [...Map.groupBy(firms, ({ state }) => state)]
      .map(([state, of]) => ({
        state,
        as_of: of[0]?.as_of,
        usd: total(of.map((firm) => Number(firm.aum_total_usd))),
        firms: of.length,
      }))
      .toSorted((a, b) => b.usd - a.usd)
      .map(({ as_of, state, firms: count, usd }) => ({ as_of, state, firms: count, billions_usd: round(usd / 1e9, 3) }))
  },
  22: async (house) => {
    const now = new Date()
    const quarter = Date.UTC(now.getUTCFullYear(), Math.floor(now.getUTCMonth() / 3) * 3)
    return (await hires(house))
      .filter(({ title, at }) => CFO.test(title) && Date.parse(at) >= quarter)
      .toSorted((a, b) => order(a.at, b.at) || order(a.domain, b.domain))
      .map(({ domain, full_name, title, evidence, at }) => ({ domain, full_name, title, evidence, changed_at: at }))
  },
  23: async (house) => {
    const list = await members(house)
    const isStale = ({ enriched_at }: Json) => enriched_at !== null && Date.parse(enriched_at) + 5 * DAY_MS < Date.now()
    return [...Map.groupBy(list, ({ attributes }: Json) => attributes?.owner ?? null)]
      .map(([owner, of]) => ({ owner, accounts: of.length, stale: of.filter(isStale).length }))
      .toSorted((a, b) => (a.owner === null ? 1 : b.owner === null ? -1 : order(a.owner, b.owner)))
  },
  24: async (house) => {
    const lines = await ledger(house)
    const month = new Date().toISOString().slice(0, 7)
    const charged = new Set(lines.map(({ domain }) => domain))
    const enriched = (await members(house)).filter(
      ({ domain, enriched_at }) => charged.has(domain) && enriched_at?.startsWith(month),
    )
    const units = -total(lines.map((line) => line.units))
    return [{ units, enriched_companies: enriched.length, units_per_company: round(units / enriched.length, 2) }]
  },
  25: async (house) => {
    const signals = await allSignals(house)
    const weeks = Map.groupBy(signals, ({ type, published_on }) => `${monday(published_on)} ${type}`)
    return [...weeks]
      .map(([key, of]) => ({ week: key.slice(0, 10), type: key.slice(11), signals: of.length }))
      .toSorted((a, b) => order(b.week, a.week) || order(a.type, b.type))
  },
  26: async (house) => {
    const { moved } = changesOf(house)
    return [
      {
        full_name: moved.person.full_name,
        from_domain: moved.from,
        from_title: moved.person.title,
        to_domain: moved.to,
        to_title: moved.title,
        left_at: (await eventTime(house, moved.from, moved.person.full_name, 'left_at')) as string,
      },
    ]
  },
  27: async () => [],
  28: async (house) => {
    const doubts: Row[] = []
    for (const { domain, attributes } of await members(house)) {
      if (attributes?.tier !== '1') continue
      const company = await get(house, `/v2/companies/${domain}?include_provenance=true`)
      doubts.push(...doubtsIn(domain, null, company))
      const { persons } = await get(
        house,
        `/v2/companies/${domain}/persons?limit=200&include=contact&include_provenance=true`,
      )
      for (const person of persons) doubts.push(...doubtsIn(domain, person.full_name, { ...person, ...person.contact }))
    }
    return doubts.toSorted(
      (a, b) =>
        order(a['domain'], b['domain']) ||
        order(a['full_name'] ?? '', b['full_name'] ?? '') ||
        order(a['field'], b['field']),
    )
  },
  29: async (house) => {
    const lines = await ledger(house)
    const missing = (await members(house)).filter(({ enrichment_status }) =>
      ['not_found', 'failed'].includes(enrichment_status),
    )
    return missing
      .map(({ domain }) => {
        const of = lines.filter((line) => line.domain === domain)
        const charged = -total(of.filter(({ kind }) => kind === 'charge').map(({ units }) => units))
        const refunded = total(of.filter(({ kind }) => kind === 'refund').map(({ units }) => units))
        return { domain, charged, refunded, units: charged - refunded }
      })
      .filter(({ charged }) => charged > 0)
      .toSorted((a, b) => b.units - a.units || b.charged - a.charged || order(a.domain, b.domain))
  },
  30: async (house) => {
    const start = monday(new Date().toISOString().slice(0, 10))
    const signals = (await allSignals(house)).filter(({ published_on }) => published_on >= start)
    const joined = (await hires(house)).filter(({ at }) => at >= start)
    return [
      { change: 'added to the list', count: (await members(house)).length },
      { change: 'assets changed', count: 0 },
      { change: 'company moved', count: 1 },
      { change: 'person joined', count: joined.length },
      { change: 'person left', count: 1 },
      { change: 'person title_changed', count: 1 },
      { change: 'removed from the list', count: 0 },
      { change: 'signal', count: signals.length },
    ]
  },
}

const changesOf = ({ web }: DemoHouse): DemoChanges => {
  if (!web.changes) throw new Error('the demo web has too few companies')
  return web.changes
}

interface Hire {
  domain: string
  full_name: string
  title: string
  evidence: string
  at: string
}

/** Returns the new hires: people whose appointments were in the service's news, and the planted people. */
async function hires(house: DemoHouse): Promise<Hire[]> {
  const { hired, moved } = changesOf(house)
  const planted = new Set([`${hired.domain} ${hired.person.full_name}`, `${moved.to} ${moved.person.full_name}`])
  const signals = Map.groupBy(await allSignals(house), ({ domain }) => domain)
  const found: Hire[] = []
  for (const { company_domain: domain, full_name, title } of await house.service.db
    .selectFrom('person')
    .selectAll()
    .execute()) {
    const first = (await eventTime(house, domain, full_name, 'full_name')) as string
    const [news] = (signals.get(domain) ?? [])
      .filter(
        ({ type, headline }) =>
          type === 'Leadership Change' &&
          headline.toLowerCase().includes(full_name.toLowerCase()) &&
          !DEPARTURE.test(headline),
      )
      .map(({ published_on }) => published_on)
      .filter((day) => day <= first.slice(0, 10) && Date.parse(first.slice(0, 10)) - Date.parse(day) <= 90 * DAY_MS)
      .toSorted()
    if (news) found.push({ domain, full_name, title: title ?? '', evidence: 'news', at: `${news}T00:00:00.000000Z` })
    else if (planted.has(`${domain} ${full_name}`))
      found.push({ domain, full_name, title: title ?? '', evidence: 'listed', at: first })
  }
  return found
}

async function eventTime(
  { service }: DemoHouse,
  domain: string,
  name: string,
  field: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ changed_at: string }>`
    select changed_at from history_event join person on company_domain = domain and person.person_id = history_event.person_id
    where domain = ${domain} and full_name = ${name} and field = ${field} order by changed_at limit 1`.execute(
    service.db,
  )
  return rows[0]?.changed_at
}

function doubtsIn(domain: string, full_name: string | null, record: Json): Row[] {
  return Object.entries<Json>(record.provenance).flatMap(([field, winner]) => {
    const value = String(record[field])
    const rivals = winner.alternatives.filter(
      (other: Json) => other.source !== winner.source && plain(String(other.value)) !== plain(value),
    )
    const rival = rivals.toSorted((a: Json, b: Json) => b.confidence - a.confidence)[0]
    const doubt =
      winner.confidence < 0.6
        ? 'low confidence'
        : rival && rival.confidence >= winner.confidence - 0.1
          ? 'sources disagree'
          : null
    if (doubt === null) return []
    return [
      {
        domain,
        full_name,
        field,
        value,
        rival_value: rival ? String(rival.value) : null,
        rival_source: rival?.source ?? null,
        doubt,
      },
    ]
  })
}

const plain = (text: string): string => text.toLowerCase().replace(/[\s!-/:-@[-`{-~]+/g, ' ')

async function get({ service }: DemoHouse, path: string): Promise<Json> {
  return (await service.call<Json>('GET', path)).body
}

async function post({ service }: DemoHouse, path: string, body: object): Promise<Json> {
  return (await service.call<Json>('POST', path, { body })).body
}

const members = async (house: DemoHouse): Promise<Json[]> =>
  (await get(house, '/v2/clients/me/tal/companies?limit=1000')).companies

async function ledger(house: DemoHouse): Promise<Json[]> {
  const { lines } = await get(house, '/v2/usage/ledger/lines?limit=1000')
  return lines.filter(({ kind, domain }: Json) => ['charge', 'refund'].includes(kind) && domain !== null)
}

async function allSignals(house: DemoHouse): Promise<Json[]> {
  const found: Json[] = []
  for (const { domain } of await members(house))
    for (const signal of (await get(house, `/v2/companies/${domain}?include=signals`)).signals)
      found.push({ ...signal, domain, published_on: signal.date })
  return found.filter(({ published_on }) => published_on !== null)
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)
const round = (number: number, digits: number): number => Number(number.toFixed(digits))
const order = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0)

/** Returns the Monday of a day's week, in UTC. */
function monday(day: string): string {
  const date = new Date(day)
  return new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10)
}
