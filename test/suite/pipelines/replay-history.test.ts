import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { applyErasures } from '../../../pipelines/erasures/apply-erasures.ts'
import { history } from '../../../pipelines/history/pipeline.ts'
import { replayHistory } from '../../../pipelines/history/replay.ts'
import { verifyHistory } from '../../../pipelines/history/verify.ts'
import { EMPTY_PROFILE } from '../../../pipelines/host-profile/profile.ts'
import { talMembers } from '../../../pipelines/members/pipeline.ts'
import { createMacs } from '../../../src/personal-data/macs.ts'
import type { Bench } from '../../helpers/pipeline.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'
import { placesHolding } from '../../helpers/search-database.ts'
import { emailHash, startStrangeHost } from '../../helpers/strange-host.ts'
import type { StrangeEvent } from '../../helpers/strange-world.ts'

const DOMAIN = 'a.example'
const EMAIL = `ann@${DOMAIN}`
const [EARLY, LATE] = ['2026-01-01T00:00:00.000000Z', '2026-02-01T00:00:00.000000Z']
const change = (
  id: number,
  field: string,
  old_value: unknown,
  new_value: unknown,
  changed_at: string,
): StrangeEvent => ({
  id,
  field,
  old_value,
  new_value,
  changed_at,
})

/** A host with two changes to a company and one to a person. The event fields have these names. */
async function openHost(names: Record<string, string>, more?: Record<string, unknown>, withoutIds = false) {
  const host = await startStrangeHost()
  host.world.behavior.history = { withoutIds }
  host.world.behavior.dialect = { names: { event: names }, ...(more && { more }) }
  host.world.tal.push({ domain: DOMAIN })
  host.world.companies.set(DOMAIN, { domain: DOMAIN, enrichment_status: 'complete', name: 'B' })
  host.world.persons.set(DOMAIN, [{ email_hash: emailHash(EMAIL), email: EMAIL, full_name: 'Ann Stone' }])
  host.world.events.set(DOMAIN, [change(2, 'name', 'A', 'B', LATE), change(1, 'name', null, 'A', EARLY)])
  host.world.events.set(emailHash(EMAIL), [change(1, 'title', null, 'Partner', EARLY)])
  const bench = await pipelineBench(host)
  await bench.run({ pipeline: talMembers })
  await bench.run({ pipeline: history })
  return { host, bench }
}

const replay = (bench: Bench, event: Record<string, string>) =>
  bench.run({ pipeline: replayHistory, settings: { host: { ...EMPTY_PROFILE, fields: { event } } } })

async function contents({ warehouse: { db } }: Bench) {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', entity, field, old_value #>> '{}', '->', new_value #>> '{}', changed_at at time zone 'UTC') as line
    from warehouse.history_event order by entity, changed_at`.execute(db)
  return rows.map(({ line }) => line)
}

const CORRECT = [
  'company name -> A 2026-01-01 00:00:00',
  'company name A -> B 2026-02-01 00:00:00',
  'person title -> Partner 2026-01-01 00:00:00',
]

it('applies corrected names to stored events without a request, and keeps their recorded time', async () => {
  // Detection maps `old` to the previous value, but the host uses it for the new value.
  const { host, bench } = await openHost({ old_value: 'new', new_value: 'old' })
  await using _host = host
  await using _bench = bench
  const { db } = bench.warehouse
  await sql`update warehouse.history_event set recorded_at = '2026-03-01T00:00:00Z'`.execute(db)
  expect(await contents(bench)).toContain('company name B -> A 2026-02-01 00:00:00')
  const requests = host.requests.length
  expect(await replay(bench, { old_value: 'new', new_value: 'old' })).toMatchObject({
    outcome: 'ok',
    inserted: 0,
    updated: 3,
  })
  expect(host.requests).toHaveLength(requests)
  expect(await contents(bench)).toEqual(CORRECT)
  const { rows } =
    await sql`select distinct recorded_at = '2026-03-01T00:00:00Z' as kept from warehouse.history_event`.execute(db)
  expect(rows).toEqual([{ kept: true }])
  expect(await replay(bench, { old_value: 'new', new_value: 'old' })).toMatchObject({ updated: 0, unchanged: 3 })
})

it('stores rejected events that the corrected names make valid, and no duplicates at the next pull', async () => {
  const { host, bench } = await openHost({ id: 'nummer', new_value: 'neu' })
  await using _host = host
  await using _bench = bench
  expect(await contents(bench)).toEqual([])
  const requests = host.requests.length
  const names = { id: 'nummer', new_value: 'neu' }
  expect(await replay(bench, names)).toMatchObject({ outcome: 'ok', inserted: 3 })
  expect(host.requests).toHaveLength(requests)
  expect(await contents(bench)).toEqual(CORRECT)
  const settings = { host: { ...EMPTY_PROFILE, fields: { event: names } } }
  expect(await bench.run({ pipeline: history, settings })).toMatchObject({ outcome: 'ok', inserted: 0, unchanged: 3 })
})

it('replaying events without ids and with changed times leaves no difference from the service', async () => {
  const { host, bench } = await openHost({ changed_at: 'created_at' }, { happened: EARLY }, true)
  await using _host = host
  await using _bench = bench
  const names = { changed_at: 'happened' }
  expect(await replay(bench, names)).toMatchObject({ updated: 3 })
  const { rows } = await sql<{ days: string[]; ahead: boolean }>`
    select array_agg(distinct to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD')) as days,
      exists (select from sync.watermark where pipeline = 'history' and value like '2026-02%' and subject not like 'whole/%') as ahead
    from warehouse.history_event`.execute(bench.warehouse.db)
  // The watermark of the company would hide events after the corrected times.
  expect(rows).toEqual([{ days: ['2026-01-01'], ahead: false }])
  const settings = { ...bench.deps.settings, host: { ...EMPTY_PROFILE, fields: { event: names } } }
  const reader = { ...bench.deps, settings, signal: new AbortController().signal }
  expect((await verifyHistory(reader)).differences).toEqual([])
})

it('stores no copy of events that use the interface names, and does not change them', async () => {
  const { host, bench } = await openHost({}, undefined, true)
  await using _host = host
  await using _bench = bench
  const { rows } = await sql`select count(raw)::integer as copies from warehouse.history_event`.execute(
    bench.warehouse.db,
  )
  expect(rows).toEqual([{ copies: 0 }])
  expect(await replay(bench, {})).toMatchObject({ updated: 0, unchanged: 3 })
  expect(await replay(bench, { old_value: 'new_value', new_value: 'old_value' })).toMatchObject({ updated: 0 })
  expect(await contents(bench)).toEqual(CORRECT)
})

it('keeps the keys of events without ids whose values are objects', async () => {
  const { host, bench } = await openHost({ old_value: 'war' }, undefined, true)
  await using _host = host
  await using _bench = bench
  host.world.events.get(DOMAIN)?.push(change(3, 'headquarters', null, { street: 'Main St', city: 'Oslo' }, LATE))
  await sql`delete from sync.watermark`.execute(bench.warehouse.db)
  expect(await bench.run({ pipeline: history })).toMatchObject({ inserted: 1 })
  expect(await replay(bench, { old_value: 'war' })).toMatchObject({ updated: 4 })
  expect(await replay(bench, { old_value: 'war' })).toMatchObject({ updated: 0, unchanged: 4 })
  await sql`delete from sync.watermark`.execute(bench.warehouse.db)
  const settings = { host: { ...EMPTY_PROFILE, fields: { event: { old_value: 'war' } } } }
  expect(await bench.run({ pipeline: history, settings })).toMatchObject({ inserted: 0, unchanged: 4 })
})

it('does not change events that the corrected names cannot read', async () => {
  const { host, bench } = await openHost({})
  await using _host = host
  await using _bench = bench
  await replay(bench, { changed_at: 'field' })
  expect(await contents(bench)).toEqual(CORRECT)
})

it('erases the copies of events that name an erased person, including events of companies', async () => {
  const { host, bench } = await openHost({ old_value: 'war' }, { author: 'Ann Stone' })
  await using _host = host
  await using _bench = bench
  const { db } = bench.warehouse
  expect(await placesHolding(db, 'Ann Stone')).toContain('warehouse.history_event.raw')
  await applyErasures(
    db,
    {
      hmac_key: '00'.repeat(32),
      position: 1,
      isOtherService: false,
      erasures: [
        {
          erasure_id: 1,
          position: 1,
          lifted_at: null,
          macs: createMacs(Buffer.alloc(32)).of({ company_domain: DOMAIN, email: EMAIL, full_name: 'Ann Stone' }),
        },
      ],
    },
    1,
  )
  expect(await placesHolding(db, 'Ann Stone')).toEqual([])
  expect(await contents(bench)).toHaveLength(2)
  // The host still returns the name, and a pull of the whole history does not store it again.
  await sql`delete from warehouse.person`.execute(db)
  await sql`delete from warehouse.history_event`.execute(db)
  await sql`delete from sync.watermark`.execute(db)
  await bench.run({ pipeline: history })
  expect(await contents(bench)).toHaveLength(2)
  expect(await placesHolding(db, 'Ann Stone')).toEqual([])
})

it('removes the copies of events if the setting is off', async () => {
  const { host, bench } = await openHost({ old_value: 'war' })
  await using _host = host
  await using _bench = bench
  const copies = async () =>
    (
      await sql<{ copies: number }>`select count(raw)::integer as copies from warehouse.history_event`.execute(
        bench.warehouse.db,
      )
    ).rows[0]?.copies
  expect(await copies()).toBe(3)
  await bench.run({ pipeline: history, settings: { keep_raw: false } })
  expect(await copies()).toBe(0)
})
