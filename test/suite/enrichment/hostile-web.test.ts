import { expect, it } from 'vitest'
import { enrichHostileWeb } from '../../chaos/enrich-hostile-web.ts'
import { HOSTILE_SITES } from '../../helpers/hostile-web.ts'

/**
 * Sites that could use up the time or memory needed for all other sites. `npm run chaos -- hostile-web` runs all
 * hostile sites.
 */
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
  'unavailable-after-home',
  'rate-limited-after-home',
  'deep-valid-json',
  'records-of-many-fields',
  'endpoint-inside',
  'endpoint-that-redirects-inside',
  'endpoint-without-end',
  'pages-without-end',
  'fifty-thousand-columns',
  'one-line-of-pairs',
  'definitions-of-one-term',
  'items-in-each-other',
  'graph-in-a-circle',
  'nuxt-of-many-arguments',
  'endpoint-to-every-inside',
  'links-in-a-well',
  'addresses-of-cities',
  'rows-without-end',
  'marks-without-end',
  'charsets-of-all-kinds',
  'instructions-to-a-model',
]

it('reads hostile sites in bounded time and memory without affecting honest sites', async () => {
  const whole = process.env['TALHOUSE_TEST_WHOLE'] === 'true'
  const { sites, honest, memory, leaked, invented, longestBlock } = await enrichHostileWeb(
    whole ? {} : { names: SAMPLE },
  )
  expect(sites).toHaveLength(whole ? Object.keys(HOSTILE_SITES).length : SAMPLE.length)
  expect(honest.unharmed).toBe(honest.companies)
  expect(leaked).toBe(0)
  expect(invented).toBe(0)
  expect(longestBlock).toBeLessThan(500)
  expect(sites.filter(({ pageCpu }) => pageCpu > 5)).toEqual([])
  // The page limit applies, and a host that sends Retry-After receives no further requests.
  expect(sites.filter(({ requests }) => requests > 14)).toEqual([])
  for (const name of ['unavailable-after-home', 'rate-limited-after-home'])
    expect(sites.find((site) => site.name === name)?.requests).toBe(3)
  // The limit is generous and catches only unbounded growth. The test's timeout limits the total time; one of these
  // pages once took two minutes.
  expect(memory).toBeLessThan(1000)
}, 300_000)
