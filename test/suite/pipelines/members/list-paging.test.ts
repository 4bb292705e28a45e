import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { talMembers } from '../../../../pipelines/members/pipeline.ts'
import type { Bench } from '../../../helpers/pipeline.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'
import type { StrangeHost } from '../../../helpers/strange-host.ts'
import { startStrangeHost } from '../../../helpers/strange-host.ts'
import type { StrangeBehavior } from '../../../helpers/strange-world.ts'

const MEMBERS = 450

let host: StrangeHost
let bench: Bench

beforeAll(async () => {
  host = await startStrangeHost()
  for (let index = 0; index < MEMBERS; index += 1) host.world.tal.push({ domain: `company${index}.example` })
  bench = await pipelineBench(host)
  expect(await bench.run({ pipeline: talMembers })).toMatchObject({ outcome: 'ok', inserted: MEMBERS })
})
// Host properties detected in one test must not affect another test.
beforeEach(() => bench.warehouse.db.deleteFrom('sync.host_profile').execute())
afterAll(async () => {
  await bench[Symbol.asyncDispose]()
  await host[Symbol.asyncDispose]()
})

/** Pulls the list, which is already complete in the warehouse, from a host with this behavior. */
async function pullWith(list: NonNullable<StrangeBehavior['list']>) {
  host.world.behavior.list = list
  const run = await bench.run({
    pipeline: talMembers,
    settings: {
      members: { max_gone_share: 1, full_pull_days: 7, former_people_days: 1095, provenance: 'none' },
    },
  })
  const { rows } = await sql<{ live: number }>`
    select count(*)::integer as live from warehouse.tal_member where gone_at is null
  `.execute(bench.warehouse.db)
  return { run, live: rows[0]?.live }
}

describe('a list', () => {
  it.each<[string, NonNullable<StrangeBehavior['list']>]>([
    ['paged by offset in pages of 200', { pageSize: 200, honorsOffset: true, honorsLimit: true }],
    ['paged by offset in fixed pages of 200', { pageSize: 200, honorsOffset: true }],
    ['paged by offset, with the requested limit echoed', { pageSize: 200, honorsOffset: true, echoes: true }],
    ['paged by offset, with the page size as its total', { pageSize: 200, honorsOffset: true, total: 'page' }],
    [
      'paged by offset, with limits above 200 rejected',
      { pageSize: 200, honorsOffset: true, rejectsLargeLimits: true },
    ],
    ['with a limit and a total', { honorsLimit: true, total: true }],
    ['without paging', {}],
  ])('pulls a list completely: %s', async (_name, list) => {
    const { run, live } = await pullWith(list)
    expect(live).toBe(MEMBERS)
    expect(run).toMatchObject({ outcome: 'ok', gone: 0 })
  })

  it.each<[string, NonNullable<StrangeBehavior['list']>]>([
    ['clamped at 200 without a total', { pageSize: 200, honorsLimit: true }],
    ['clamped at 200, with the page size as its total', { pageSize: 200, honorsLimit: true, total: 'page' }],
    ['clamped at 200, with a total', { pageSize: 200, honorsLimit: true, total: true }],
  ])('degrades the pull of a list and marks no member as gone: %s', async (_name, list) => {
    const { run, live } = await pullWith(list)
    expect(live).toBe(MEMBERS)
    expect(run).toMatchObject({ outcome: 'degraded', gone: 0 })
  })
})
