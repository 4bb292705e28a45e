import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { applyErasures } from '../../../../pipelines/erasures/apply-erasures.ts'
import { EMPTY_PROFILE } from '../../../../pipelines/host-profile/profile.ts'
import { talMembers } from '../../../../pipelines/members/pipeline.ts'
import { replayMembers } from '../../../../pipelines/members/replay.ts'
import type { Raw } from '../../../../pipelines/warehouse/raw-record.ts'
import { createMacs } from '../../../../src/personal-data/macs.ts'
import type { Bench } from '../../../helpers/pipeline.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'
import { PIPELINE_SETTINGS } from '../../../helpers/pipeline-deps.ts'
import { placesHolding } from '../../../helpers/search-database.ts'
import type { StrangeHost } from '../../../helpers/strange-host.ts'
import { emailHash, startStrangeHost } from '../../../helpers/strange-host.ts'

const DOMAIN = 'acme.example'
const person = (name: string, duty: string): Raw => {
  const email = `${name.split(' ')[0]?.toLowerCase()}@${DOMAIN}`
  return { email, email_hash: emailHash(email), full_name: name, duty }
}
const CORRECTED = { ...EMPTY_PROFILE, fields: { person: { title: 'duty' }, company: { industry: 'line' } } }

/** A host with field names that cannot be detected. */
async function startForeignHost(): Promise<StrangeHost> {
  const host = await startStrangeHost()
  host.world.tal.push({ domain: DOMAIN })
  host.world.companies.set(DOMAIN, {
    domain: DOMAIN,
    line: 'Banking',
    enrichment_status: 'complete',
    enriched_at: '2026-05-01T10:00:00Z',
    signals: [{ type: 'Award', headline: 'Acme wins', date: '2026-04-01', url: 'https://acme.example/news' }],
  })
  host.world.persons.set(DOMAIN, [person('Ann Stone', 'Partner'), person('Bob Reed', 'Clerk')])
  return host
}

const replay = (bench: Bench) => bench.run({ pipeline: replayMembers, settings: { host: CORRECTED } })

async function contents({ warehouse: { db } }: Bench) {
  const { rows } = await sql<Record<string, unknown>>`
    select company.industry, array_agg(person.title order by person.email) as titles, count(distinct signal.signal_key)::integer as signals
    from warehouse.company left join warehouse.person on person.company_domain = domain left join warehouse.signal on signal.company_domain = domain
    group by 1`.execute(db)
  return rows[0]
}

const countRaw = async ({ warehouse: { db } }: Bench): Promise<number> =>
  (await sql<{ rows: number }>`select count(*)::integer as rows from sync.raw_record`.execute(db)).rows[0]?.rows ?? -1

it('applies a corrected mapping to the stored responses without a request', async () => {
  await using host = await startForeignHost()
  await using bench = await pipelineBench(host)
  await bench.run({ pipeline: talMembers })
  expect(await contents(bench)).toEqual({ industry: null, titles: [null, null], signals: 1 })
  const requests = host.requests.length
  expect(await replay(bench)).toMatchObject({ outcome: 'ok', updated: 3, unchanged: 1, gone: 0 })
  expect(await contents(bench)).toEqual({ industry: 'Banking', titles: ['Partner', 'Clerk'], signals: 1 })
  expect(host.requests).toHaveLength(requests)
})

it('replaces the stored responses at the next pull, and deletes them when the member leaves the list', async () => {
  await using host = await startForeignHost()
  await using bench = await pipelineBench(host, { members: { ...PIPELINE_SETTINGS.members, max_gone_share: 1 } })
  await bench.run({ pipeline: talMembers })
  host.world.persons.set(DOMAIN, [person('Cyd Marsh', 'Chair')])
  await bench.run({ pipeline: talMembers })
  await replay(bench)
  expect(await contents(bench)).toMatchObject({ titles: ['Chair'] })
  host.world.tal = []
  await bench.run({ pipeline: talMembers })
  expect(await countRaw(bench)).toBe(0)
})

it('stores a page of members that have never been enriched with one statement', async () => {
  await using host = await startStrangeHost()
  const times = { history_at: null, enriched_at: null, leadership_enriched_at: null, signals_enriched_at: null }
  for (let member = 0; member < 20; member += 1) {
    const entry = { domain: `new${member}.example`, line: `Line ${member}`, enrichment_status: 'none', ...times }
    host.world.tal.push(entry)
  }
  await using bench = await pipelineBench(host)
  await bench.run({ pipeline: talMembers })
  expect(host.requests.filter((request) => request.startsWith('GET /v2/companies'))).toEqual([])
  const { rows } = await sql`
    select count(*)::integer as members, count(distinct (xmin::text, cmin::text))::integer as statements
    from sync.raw_record where record = jsonb_build_object(
      'domain', domain, 'line', 'Line ' || substring(domain from '\\d+'), 'enrichment_status', 'none',
      'history_at', null, 'enriched_at', null, 'leadership_enriched_at', null, 'signals_enriched_at', null)
  `.execute(bench.warehouse.db)
  expect(rows).toEqual([{ members: 20, statements: 1 }])
  expect(await replay(bench)).toMatchObject({ outcome: 'ok', updated: 20 })
})

it('keeps people whom the last pull did not return because their list was incomplete', async () => {
  await using host = await startForeignHost()
  await using bench = await pipelineBench(host)
  await bench.run({ pipeline: talMembers })
  const { db } = bench.warehouse
  await sql`update sync.raw_record set persons_incomplete = 'a page is missing' where entity = 'company'`.execute(db)
  await sql`delete from sync.raw_record where entity = 'person' and record ->> 'email' = 'bob@acme.example'`.execute(db)
  await replay(bench)
  expect(await contents(bench)).toMatchObject({ titles: ['Partner', null] })
})

it('erases the stored responses that name an erased person', async () => {
  await using host = await startForeignHost()
  await using bench = await pipelineBench(host)
  await bench.run({ pipeline: talMembers })
  const before = await countRaw(bench)
  await applyErasures(
    bench.warehouse.db,
    {
      hmac_key: '00'.repeat(32),
      position: 1,
      isOtherService: false,
      erasures: [
        {
          erasure_id: 1,
          position: 1,
          lifted_at: null,
          macs: createMacs(Buffer.alloc(32)).of({ company_domain: DOMAIN, email: 'bob@acme.example' }),
        },
      ],
    },
    1,
  )
  expect(await countRaw(bench)).toBe(before - 1)
  expect(await placesHolding(bench.warehouse.db, 'bob@acme')).toEqual([])
  await replay(bench)
  expect(await contents(bench)).toMatchObject({ industry: 'Banking', titles: ['Partner'] })
  // The host still returns this person, but the pull omits them.
  host.world.companies.set(DOMAIN, { domain: DOMAIN, line: 'Insurance' })
  await bench.run({ pipeline: talMembers })
  expect(await placesHolding(bench.warehouse.db, 'bob@acme')).toEqual([])
})

it('stores no responses if the setting is off, removes stored responses, and then rejects a replay', async () => {
  await using host = await startForeignHost()
  await using bench = await pipelineBench(host)
  await bench.run({ pipeline: talMembers })
  const settings = { keep_raw: false }
  await bench.run({ pipeline: talMembers, settings })
  expect(await countRaw(bench)).toBe(0)
  expect(await replay(bench)).toMatchObject({
    outcome: 'failed',
    error_code: 'not_found',
    error_message: expect.stringContaining('pipelines.keep_raw'),
  })
})
