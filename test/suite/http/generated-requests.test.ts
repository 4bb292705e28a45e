import { expect, it } from 'vitest'
import { fuzzService } from '../../helpers/fuzz-service.ts'

// A sample, always the same; `npm run chaos -- fuzz` sends 10,000, other ones each time.
it('answers whatever is sent to it as its contract says, and never with 5xx', async () => {
  const { failures, statuses, seed } = await fuzzService(300, 20_261_121)
  expect(failures, `seed ${seed}`).toEqual([])
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '400', '404', '422']))
})
