import { expect, it } from 'vitest'
import { enrichHostileWeb } from '../../chaos/enrich-hostile-web.ts'
import { HOSTILE_SITES } from '../../helpers/hostile-web.ts'

/** Those that could take the time or the memory of all others; `npm run chaos -- hostile-web` has every one. */
const SAMPLE = [
  'brotli-bomb',
  'endless-body',
  'endless-redirects',
  'endless-headers',
  'robots-of-a-gigabyte',
  'sitemap-in-a-circle',
  'ten-thousand-links',
  'deep-as-a-well',
  'one-long-word',
  'all-blanks',
  'all-digits',
  'feed-without-end',
  'busy-after-home',
  'too-often-after-home',
]

it('reads hostile sites in bounded time and memory, and the honest ones beside them as if they were alone', async () => {
  const whole = process.env['TALHOUSE_TEST_WHOLE'] === 'true'
  const { sites, honest, memory, longestBlock } = await enrichHostileWeb(whole ? {} : { names: SAMPLE })
  expect(sites).toHaveLength(whole ? Object.keys(HOSTILE_SITES).length : SAMPLE.length)
  expect(honest.unharmed).toBe(honest.companies)
  // A few pages each, however many it names, and no more once it asks to be left alone.
  expect(sites.filter(({ requests }) => requests > 14)).toEqual([])
  for (const name of ['busy-after-home', 'too-often-after-home'])
    expect(sites.find((site) => site.name === name)?.requests).toBe(3)
  // Bounds against what grows without end, not against a busy machine.
  expect(sites.filter(({ seconds }) => seconds > 40)).toEqual([])
  expect(memory).toBeLessThan(1000)
  // Pages are read elsewhere; one of these alone once held the loop for two minutes.
  expect(longestBlock).toBeLessThan(3000)
})
