import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { listFoldMismatches } from '../../../pipelines/history/fold-mismatches.ts'
import { history } from '../../../pipelines/history/pipeline.ts'
import { talMembers } from '../../../pipelines/members/pipeline.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'
import { emailHash, startStrangeHost } from '../../helpers/strange-host.ts'

const change = (id: number, old_value: unknown, new_value: unknown, changed_at: string, field = 'name') => ({
  id,
  field,
  old_value,
  new_value,
  changed_at,
})

async function open(name: string) {
  const host = await startStrangeHost()
  host.world.tal.push({ domain: 'a.example' })
  host.world.companies.set('a.example', { domain: 'a.example', enrichment_status: 'complete', name })
  const bench = await pipelineBench(host)
  await bench.run({ pipeline: talMembers })
  return { host, bench }
}

it('stores events whose ids are unique only within a record', async () => {
  const { host, bench } = await open('A')
  await using _host = host
  await using _bench = bench
  const email = 'ann@a.example'
  host.world.persons.set('a.example', [{ email_hash: emailHash(email), email, full_name: 'Ann' }])
  host.world.events.set('a.example', [change(1, null, 'A', '2026-01-01T00:00:00Z')])
  host.world.events.set(emailHash(email), [change(1, null, 'CEO', '2026-01-01T00:00:00Z', 'title')])
  await bench.run({ pipeline: talMembers })
  expect(await bench.run({ pipeline: history })).toMatchObject({ outcome: 'ok', inserted: 2 })
})

it('keeps the host order of events with the same time, and does not sort events by id', async () => {
  const { host, bench } = await open('B')
  await using _host = host
  await using _bench = bench
  const at = '2026-01-01T00:00:00Z'
  // Newest first.
  host.world.events.set('a.example', [change(10, 'A', 'B', at), change(9, null, 'A', at)])
  await bench.run({ pipeline: history })
  expect(await listFoldMismatches(bench.warehouse.db)).toEqual([])
  const names = async (moment: string) =>
    (
      await sql`select fields ->> 'name' as name from warehouse.company_as_of(${moment}::text)`.execute(
        bench.warehouse.db,
      )
    ).rows
  expect(await names('2025-12-31')).toEqual([])
  expect(await names('2026-01-01')).toEqual([{ name: 'B' }])
})

it('pulls later events even if one event is dated in the future', async () => {
  const { host, bench } = await open('A')
  await using _host = host
  await using _bench = bench
  host.world.events.set('a.example', [change(1, null, 'x', '2099-01-01T00:00:00Z', 'industry')])
  await bench.run({ pipeline: history })
  host.world.events.get('a.example')?.push(change(2, null, 'A', '2026-06-01T00:00:00Z'))
  expect(await bench.run({ pipeline: history })).toMatchObject({ inserted: 1 })
})

it('stores the person and the kind of an event, and null for hosts that return neither', async () => {
  const { host, bench } = await open('A')
  await using _host = host
  await using _bench = bench
  const email = 'ann@a.example'
  const person = '0b6c1c0e-5d0a-4c58-9d8f-0d9d3f9c7a11'
  host.world.persons.set('a.example', [{ email_hash: emailHash(email), email, full_name: 'Ann' }])
  host.world.events.set('a.example', [change(1, null, 'A', '2026-01-01T00:00:00Z')])
  const hired = { ...change(1, null, 'CEO', '2026-01-01T00:00:00Z', 'title'), person_id: person, kind: 'created' }
  host.world.events.set(emailHash(email), [hired])
  await bench.run({ pipeline: talMembers })
  await bench.run({ pipeline: history })
  const { rows } = await sql`select entity, person_id, kind from warehouse.history_event order by entity`.execute(
    bench.warehouse.db,
  )
  expect(rows).toEqual([
    { entity: 'company', person_id: null, kind: null },
    { entity: 'person', person_id: person, kind: 'created' },
  ])
})

it('finds a change in the same second as the newest change of the last pull', async () => {
  const { host, bench } = await open('B')
  await using _host = host
  await using _bench = bench
  host.world.reportsHistory = true
  // This second has not elapsed at the first pull, because the host's clock is a minute ahead.
  const second = `${new Date(Date.now() + 60_000).toISOString().slice(0, 19)}Z`
  host.world.events.set('a.example', [change(1, null, 'A', second)])
  await bench.run({ pipeline: talMembers })
  expect(await bench.run({ pipeline: history })).toMatchObject({ inserted: 1 })
  host.world.events.set('a.example', [change(2, 'A', 'B', second), change(1, null, 'A', second)])
  expect(await bench.run({ pipeline: history })).toMatchObject({ inserted: 1 })
})

it('finds an event that was published too late for the overlap when it pulls the whole history again', async () => {
  const { host, bench } = await open('B')
  await using _host = host
  await using _bench = bench
  host.world.events.set('a.example', [change(2, 'A', 'B', '2026-02-01T00:00:00Z')])
  expect(await bench.run({ pipeline: history })).toMatchObject({ inserted: 1 })
  host.world.events.get('a.example')?.push(change(1, null, 'A', '2026-01-01T00:00:00Z'))
  expect(await bench.run({ pipeline: history })).toMatchObject({ inserted: 0 })
  const { full_pull_days: days } = bench.deps.settings.history
  await sql`
    update sync.watermark set value = (now() - make_interval(days => ${2 * days + 1}))::text where subject = 'whole/a.example'
  `.execute(bench.warehouse.db)
  expect(await bench.run({ pipeline: history })).toMatchObject({ inserted: 1 })
})
