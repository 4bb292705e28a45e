import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { planBackfill } from '../../../../pipelines/backfill/plan.ts'
import { runBackfill } from '../../../../pipelines/backfill/run-backfill.ts'
import { saveBackfill } from '../../../../pipelines/backfill/store.ts'
import { verify } from '../../../../pipelines/repair/verify.ts'
import { startFirmHost } from '../../../helpers/firm-host.ts'
import { generateFirms } from '../../../helpers/invented-firms.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'
import { PIPELINE_SETTINGS } from '../../../helpers/pipeline-deps.ts'

/** Number of firms; more than fit in one part of a backfill. */
const FIRMS = 1_500
const { compare } = new Intl.Collator('en', { numeric: true })

it('backfills and verifies a host that sorts keys numerically as one range', async () => {
  await using host = await startFirmHost(generateFirms(FIRMS), { compare })
  await using bench = await pipelineBench(host)
  const { db } = bench.warehouse
  expect(await bench.run()).toMatchObject({ outcome: 'ok', inserted: FIRMS })
  const found = await verify({ ...bench.deps, signal: AbortSignal.timeout(60_000) }, 'firms', { quick: true })
  expect(found).toMatchObject({
    compared: FIRMS,
    differences: [],
    notes: [expect.stringContaining('--quick was ignored')],
  })

  await sql`update warehouse.firm set legal_name = 'x'`.execute(db)
  const id = await saveBackfill(db, await planBackfill(db, 'firms', {}, PIPELINE_SETTINGS))
  expect(await bench.run({ pipeline: runBackfill(id) })).toMatchObject({ outcome: 'ok', updated: FIRMS })
})
