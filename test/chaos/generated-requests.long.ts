/** 10,000 generated requests. `npm run chaos -- fuzz`, or `TALHOUSE_TEST_SEED=... npm run chaos -- fuzz` to repeat a run. */
import { expect, it } from 'vitest'
import { fuzzService } from '../helpers/fuzz-service.ts'

it('responds to 10,000 generated requests as the contract specifies', async () => {
  const given = process.env['TALHOUSE_TEST_SEED']
  const { seed, statuses, failures } = await fuzzService(10_000, given === undefined ? undefined : Number(given))
  console.log(JSON.stringify({ seed, statuses }))
  expect(failures).toEqual([])
})
