import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { HostClient } from '../../../../pipelines/host/host-client.ts'
import { talMembers } from '../../../../pipelines/members/pipeline.ts'
import type { Bench } from '../../../helpers/pipeline.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'
import type { StrangeHost } from '../../../helpers/strange-host.ts'
import { startStrangeHost } from '../../../helpers/strange-host.ts'

const MEMBERS = 2500

interface PagedList {
  domains: string[]
  /** The total that the host reports. */
  total(): number | undefined
  /** Called before each page; `number` starts at 1. */
  before(number: number): void
  list: HostClient['tal']['list']
}

/** A host that pages its list by offset, as talhouse does. */
function pagedList(): PagedList {
  let requests = 0
  const of: PagedList = {
    domains: Array.from({ length: MEMBERS }, (_, index) => `company${String(index).padStart(5, '0')}.example`),
    total: () => of.domains.length,
    before: () => {},
    async list({ limit = 0, offset = 0 } = {}) {
      requests += 1
      of.before(requests)
      const companies = of.domains.slice(offset, offset + limit).map((domain) => ({ domain, ...NOTHING_KNOWN }))
      return { companies, limit, offset, total: of.total() }
    },
  }
  return of
}

/** Entries of members that have never been enriched, so no record is fetched. */
const NOTHING_KNOWN = {
  enrichment_status: 'none',
  enriched_at: null,
  leadership_enriched_at: null,
  signals_enriched_at: null,
  history_at: null,
}

const pull = (bench: Bench, list: HostClient['tal']['list']) =>
  bench.run({ pipeline: { ...talMembers, run: (context) => talMembers.run(withList(context, list)) } })

function withList<Context extends { client: Bench['deps']['client'] }>(
  context: Context,
  list: HostClient['tal']['list'],
) {
  const { client } = context
  return { ...context, client: { ...client, tal: { ...client.tal, list } } }
}

const live = async ({ warehouse }: Bench): Promise<Set<string>> => {
  const { rows } = await sql<{ domain: string }>`select domain from warehouse.tal_member where gone_at is null`.execute(
    warehouse.db,
  )
  return new Set(rows.map(({ domain }) => domain))
}

async function open(work: (bench: Bench, list: PagedList, host: StrangeHost) => Promise<void>): Promise<void> {
  await using host = await startStrangeHost()
  await using bench = await pipelineBench(host)
  await work(bench, pagedList(), host)
}

describe('a paged list', () => {
  it('pulls a paged list again when members leave during the pull', () =>
    open(async (bench, list) => {
      list.before = (number) => {
        // Later entries move up, so the first entry of the next page would be skipped.
        if (number === 2) list.domains = list.domains.slice(3)
      }
      expect(await pull(bench, list.list)).toMatchObject({ outcome: 'ok', reasons: [], gone: 3 })
      expect(await live(bench)).toEqual(new Set(list.domains))
    }))

  it('pulls a paged list again when members are added during the pull', () =>
    open(async (bench, list) => {
      list.before = (number) => {
        if (number === 2) list.domains = ['aaa.example', ...list.domains]
      }
      expect(await pull(bench, list.list)).toMatchObject({ outcome: 'ok', reasons: [] })
      expect(await live(bench)).toEqual(new Set(list.domains))
    }))

  it('does not verify a list as complete by a matching total when as many members left as were added', () =>
    open(async (bench, list) => {
      await pull(bench, list.list)
      let pages = 0
      list.before = () => {
        pages += 1
        if (pages === 2) list.domains = [...list.domains.slice(3), 'x.example', 'y.example', 'z.example']
      }
      expect(await pull(bench, list.list)).toMatchObject({ outcome: 'ok', gone: 3 })
      expect(await live(bench)).toEqual(new Set(list.domains))
    }))

  it('stores a list that always changes as far as it was received, marks no member as gone, and reports a reason', () =>
    open(async (bench, list) => {
      await pull(bench, list.list)
      list.before = () => {
        list.domains = list.domains.slice(1)
      }
      const run = await pull(bench, list.list)
      expect(run).toMatchObject({ outcome: 'degraded', gone: 0 })
      expect(run.reasons.join()).toMatch(/changed during the pull/)
      expect((await live(bench)).size).toBe(MEMBERS)
    }))

  it('loses no member of a list with a wrong total and does not verify it as complete', () =>
    open(async (bench, list) => {
      await pull(bench, list.list)
      list.domains = list.domains.slice(5)
      list.total = () => MEMBERS + 7
      const run = await pull(bench, list.list)
      expect(run).toMatchObject({ outcome: 'degraded', gone: 0 })
      expect(run.reasons.join()).toContain('or the total is wrong')
    }))

  it('ends the pull with a reason when a list repeats the same page', () =>
    open(async (bench, list) => {
      const first = list.domains.slice(0, 1000)
      const same: HostClient['tal']['list'] = async ({ limit = 0, offset = 0 } = {}) => ({
        companies: first.map((domain) => ({ domain, ...NOTHING_KNOWN })),
        limit,
        offset,
        total: MEMBERS,
      })
      const run = await pull(bench, same)
      expect(run).toMatchObject({ outcome: 'degraded', gone: 0, inserted: 2 * 1000 })
      expect(run.reasons.join()).toContain('has 2500 members, but 1000 were pulled')
    }))

  it('pulls a list without a total until a short page', () =>
    open(async (bench, list) => {
      list.total = () => undefined
      expect(await pull(bench, list.list)).toMatchObject({ outcome: 'ok', inserted: 2 * MEMBERS })
    }))
})
