import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { talMembers } from '../../../../pipelines/members/pipeline.ts'
import { refreshMembers } from '../../../../pipelines/members/refresh.ts'
import { countListRequests, failAfter, PAGES, startCursorHost } from '../../../helpers/cursor-host.ts'
import type { Bench } from '../../../helpers/pipeline.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'

/** Stores a submission that completes now. */
const completeSubmission = ({ warehouse }: Bench, key: string) =>
  sql`insert into warehouse.submission (submission_key, kind, night, domains, quoted_units, state, outcome_at, run_id)
    values (${key}, 'batch', current_date, '{}', 1, 'completed', now(), 1)`.execute(warehouse.db)

it('refreshes the members once after a submission, even if the pull before it was resumed after it', async () => {
  await using host = await startCursorHost()
  await using bench = await pipelineBench(host)
  failAfter(host, 2)
  await bench.run({ pipeline: talMembers })
  await completeSubmission(bench, 'a')
  host.fault = undefined
  expect(await bench.run({ pipeline: talMembers })).toMatchObject({ outcome: 'ok' })
  const requests = countListRequests(host)
  // The first pages were read before the submission completed.
  await bench.run({ pipeline: refreshMembers })
  expect(countListRequests(host)).toBe(requests + PAGES)
  await bench.run({ pipeline: refreshMembers })
  expect(countListRequests(host)).toBe(requests + PAGES)
})

it('resumes a refresh, unless another submission has completed since it started', async () => {
  await using host = await startCursorHost()
  await using bench = await pipelineBench(host)
  await bench.run({ pipeline: talMembers })
  const refresh = async (pages = PAGES) => {
    failAfter(host, pages)
    host.requests.length = 0
    const run = await bench.run({ pipeline: refreshMembers })
    return { state: run.state, requests: countListRequests(host) }
  }
  await completeSubmission(bench, 'a')
  expect(await refresh(2)).toMatchObject({ state: 'failed' })
  expect(await refresh()).toEqual({ state: 'completed', requests: PAGES - 2 })
  await completeSubmission(bench, 'b')
  expect(await refresh(2)).toMatchObject({ state: 'failed' })
  await completeSubmission(bench, 'c')
  expect(await refresh()).toEqual({ state: 'completed', requests: PAGES })
})
