import { expect, it } from 'vitest'
import { fuzzService } from '../../helpers/fuzz-service.ts'

// This test sends a fixed sample; `npm run chaos -- fuzz` sends 10,000 requests with a random seed.
it('responds to generated requests as documented and never with a 5xx', async () => {
  const { failures, statuses, seed } = await fuzzService(300, 20_261_121)
  expect(failures, `seed ${seed}`).toEqual([])
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '400', '404', '422']))
})
