import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { FIRM_PAGE_MAXIMUM } from '../../src/contract/firms.ts'
import { chunk } from '../../src/lib/chunk.ts'
import { AppError } from '../../src/lib/errors.ts'
import { sum } from '../../src/lib/sum.ts'
import { parseTimestamp } from '../../src/lib/timestamps.ts'
import type { Verifiable } from '../compare/difference.ts'
import { sampleKeys } from '../firms/sample-keys.ts'
import { hasByteOrder } from '../firms/unequal-ranges.ts'
import { PEOPLE_WITH_HISTORY } from '../history/people-with-history.ts'
import type { PipelineSettings } from '../runner/settings.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { Part, Plan } from './store.ts'

type Db = Kysely<WarehouseTables>

export interface PlanOptions {
  /** The plan includes events after this timestamp. Applies only to history. */
  from?: string | undefined
  /** Limits the plan to these members. @default all live members */
  members?: readonly string[] | undefined
}

const MEMBERS_A_PART = 20
const FIRMS_A_PART = 1000
/** Assumed seconds per request before the first measured run. */
const SECONDS_A_REQUEST = 0.05

/**
 * Plans the parts of a backfill, and estimates the requests and seconds they require. A backfill costs no units,
 * because it only reads.
 */
export async function planBackfill(
  db: Db,
  dataset: Verifiable,
  options: PlanOptions,
  settings: PipelineSettings,
): Promise<Plan> {
  const fromAt = dataset === 'history' ? parseTimestamp(options.from ?? '') : null
  if (fromAt === undefined)
    throw new AppError(
      'invalid_request',
      '--from is missing or not a date: `talhouse backfill plan history --from 2026-01-01`.',
    )
  const parts = dataset === 'firms' ? await firmParts(db) : await memberParts(db, dataset, fromAt, options.members)
  if (parts.length === 0)
    throw new AppError(
      'not_found',
      `There are no records to fetch. Run \`talhouse run ${dataset === 'firms' ? 'firms' : 'tal-members'}\` first.`,
    )
  const requests = sum(parts.map((part) => part.estimated_requests))
  const rate = await measureRate(db)
  const byRate = settings.requests_per_second > 0 ? requests / settings.requests_per_second : 0
  const seconds = Math.max(requests * rate.seconds, byRate)
  return { dataset, fromAt, parts, seconds, basis: [WHY[dataset], rate.why].join('; ') }
}

const WHY: Record<Verifiable, string> = {
  history:
    'one request for each member and each of its people, and one for each additional 200 known events; members with the newest events first',
  members: 'two requests for each member, and one for each additional 200 people',
  firms: `one request for each ${FIRM_PAGE_MAXIMUM} firms`,
}

async function memberParts(
  db: Db,
  dataset: 'history' | 'members',
  fromAt: string | null,
  only: readonly string[] | undefined,
): Promise<Omit<Part, 'number'>[]> {
  const { rows } = await sql<{ domain: string; requests: number }>`
    select company.domain,
      case when ${dataset} = 'members' then 1 + greatest(1, ceil(people.persons / 200.0))
        else 1 + histories.records + floor(events.known / 200.0)
      end::integer as requests
    from warehouse.tal_member company
    cross join lateral (
      select count(*) as persons from warehouse.person where company_domain = company.domain
    ) people
    cross join lateral (
      select count(*) as records from ${PEOPLE_WITH_HISTORY} where company_domain = company.domain
    ) histories
    cross join lateral (
      select count(*) as known, max(changed_at) as newest from warehouse.history_event event
      where event.domain = company.domain and event.changed_at > coalesce(${fromAt}::timestamptz, '-infinity')
    ) events
    where company.gone_at is null and (${only ? [...only] : null}::text[] is null or company.domain = any (${only ? [...only] : null}::text[]))
    order by events.newest desc nulls last, company.domain
  `.execute(db)
  return chunk(rows, MEMBERS_A_PART).map((part) => ({
    members: part.map(({ domain }) => domain),
    floor: null,
    below: null,
    estimated_requests: sum(part.map(({ requests }) => requests)),
  }))
}

async function firmParts(db: Db): Promise<Omit<Part, 'number'>[]> {
  const { rows } = await sql<{ firms: number }>`
    select count(*)::integer as firms from warehouse.firm where gone_at is null
  `.execute(db)
  const firms = rows[0]?.firms ?? 0
  const keys = await sampleKeys(db)
  // If the service does not sort keys in byte order, key ranges cannot be requested, so all firms form one part.
  const parts = (await hasByteOrder(db)) ? Math.max(1, Math.ceil(firms / FIRMS_A_PART)) : 1
  const bounds = Array.from(
    { length: parts - 1 },
    (_, index) => keys[Math.floor(((index + 1) * keys.length) / parts)] as string,
  )
  // Reverses the ascending ranges, so that the backfill starts with the highest SEC numbers.
  return [...new Set(bounds), null]
    .map((below, index, all) => ({ floor: index === 0 ? null : (all[index - 1] as string), below }))
    .map((range) => ({
      members: null,
      ...range,
      estimated_requests: Math.max(1, Math.ceil(firms / parts / FIRM_PAGE_MAXIMUM)),
    }))
    .toReversed()
}

/** Average seconds per request over the latest ten runs, and a sentence that states the source of this figure. */
async function measureRate(db: Db): Promise<{ seconds: number; why: string }> {
  const { rows } = await sql<{ seconds: number; requests: number }>`
    select sum(extract(epoch from ended_at - started_at))::double precision as seconds, sum(requests)::integer as requests
    from (select * from sync.run where state = 'completed' and requests > 0 and pipeline <> 'nightly' order by id desc limit 10) latest
  `.execute(db)
  const { seconds, requests } = rows[0] ?? { seconds: 0, requests: 0 }
  if (!requests)
    return { seconds: SECONDS_A_REQUEST, why: 'assuming 50 ms per request, because no run has been measured yet' }
  const perRequest = seconds / requests
  return { seconds: perRequest, why: `${Math.round(perRequest * 1000)} ms per request, as in the latest runs` }
}
