import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { dueRecords } from '../../../../pipelines/members/due-record.ts'
import { openPull } from '../../../../pipelines/members/list-pulls.ts'
import { talMembers } from '../../../../pipelines/members/pipeline.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { testDatabase } from '../../../helpers/database.ts'
import { liveHeapBytes } from '../../../helpers/live-heap.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'
import { startStrangeHost } from '../../../helpers/strange-host.ts'

const MEMBERS = 20_000
const PAGES = 20
/** Length of a domain; the domains on the list need much more memory than the pull may use. */
const LENGTH = 240
/** Half the total size of the domains. */
const ALLOWED = (MEMBERS * LENGTH) / 2

it('the pull of a list by cursor does not keep its entries in memory', async () => {
  await using host = await startStrangeHost()
  const { world } = host
  world.behavior.list = { pageSize: MEMBERS / PAGES, cursors: true, total: true }
  for (let index = 0; index < MEMBERS; index += 1)
    world.tal.push({ ...NEVER_ENRICHED, domain: `${index}.`.padEnd(LENGTH, 'x') })
  await using bench = await pipelineBench(host)
  const bytes: number[] = []
  host.fault = () => {
    bytes.push(liveHeapBytes())
    return undefined
  }
  expect(await bench.run({ pipeline: talMembers })).toMatchObject({ outcome: 'ok', inserted: 2 * MEMBERS })
  expect(bytes).toHaveLength(PAGES)
  // The first pages warm up the process.
  expect((bytes.at(-1) as number) - (bytes[2] as number)).toBeLessThan(ALLOWED)
})

/** Fields of an entry whose record needs no request. */
const NEVER_ENRICHED = {
  enrichment_status: 'none',
  enriched_at: null,
  leadership_enriched_at: null,
  signals_enriched_at: null,
  history_at: null,
}

it('the members to fetch are read in batches', async () => {
  await using warehouse = await testDatabase<WarehouseTables>('warehouse')
  const { db } = warehouse
  const pull = await openPull(db, { pipeline: 'tal-members', runId: 1, url: 'http://host.example' })
  await sql`
    insert into sync.list_entry (pipeline, domain, attempt, fingerprint, is_full_pull_due)
    select 'tal-members', rpad(number || '.', ${LENGTH}, 'x'), 1, 'changed', false
    from generate_series(1, ${MEMBERS}) as number`.execute(db)
  const before = liveHeapBytes()
  let largest = 0
  let members = 0
  for await (const { domain } of dueRecords(db, { pull, isComplete: true })) {
    expect(domain).toHaveLength(LENGTH)
    members += 1
    if (members % 5000 === 0) largest = Math.max(largest, liveHeapBytes() - before)
  }
  expect(members).toBe(MEMBERS)
  expect(largest).toBeLessThan(ALLOWED)
})
