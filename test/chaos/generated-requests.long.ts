/**
 * `npm run chaos -- fuzz`: sends 10,000 generated requests and validates the responses.
 * `TALHOUSE_TEST_SEED=... npm run chaos -- fuzz` repeats a run.
 */
import { expect, it } from 'vitest'
import { fuzzService } from '../helpers/fuzz-service.ts'

it('responds to 10,000 generated requests as the contract specifies', async () => {
  const given = process.env['TALHOUSE_TEST_SEED']
  const { seed, statuses, failures } = await fuzzService(10_000, given === undefined ? undefined : Number(given))
  console.log(JSON.stringify({ seed, statuses }))
  expect(failures).toEqual([])
})
