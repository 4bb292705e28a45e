/** Compares the website provider's findings on the demo web with the answer key. */

import type { DemoWebOptions } from '../../src/demo/start-demo-web.ts'
import { startDemoWeb } from '../../src/demo/start-demo-web.ts'
import { createFetcher } from '../../src/enrichment/fetching/fetcher.ts'
import { createWebsiteProvider } from '../../src/enrichment/providers/website.ts'
import { gather } from '../../src/findings/gather.ts'
import { merge } from '../../src/findings/merge.ts'
import { SOURCE_ORDER } from '../../src/findings/sources.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { enrichmentSettings, fetchingSettings } from '../helpers/web-server.ts'
import type { DemoCount } from './compare-with-key.ts'
import { compareWithKey, newCount } from './compare-with-key.ts'

const AT_ONCE = 16

/** Reads every company of a demo web and counts correct, wrong and missing facts. */
export async function countDemoWeb(options: DemoWebOptions): Promise<DemoCount> {
  await using web = await startDemoWeb(options)
  const fetching = fetchingSettings({
    connect_to: web.connectTo,
    extra_ca_files: [web.authorityFile],
    max_bytes: 2_000_000,
    timeout_seconds: 10,
  })
  await using fetcher = createFetcher(fetching)
  const provider = createWebsiteProvider({
    fetcher,
    receivesMail: async () => null,
    settings: enrichmentSettings(),
    clock: systemClock,
  })
  const count = newCount()
  const { signal } = new AbortController()
  const queue = web.answerKey.values()
  const reader = async (): Promise<void> => {
    for (const planted of queue) {
      const gathered = await gather([provider], {
        domain: planted.domain,
        known: {},
        groups: new Set(['company', 'leadership', 'signals']),
        maxPeople: 100,
        maxArticles: 25,
        clock: systemClock,
        signal,
        log: silentLog,
      })
      const [answer] = gathered.answers
      const merged = merge(gathered.observations, SOURCE_ORDER)
      compareWithKey(
        planted,
        {
          ...gathered,
          status: answer?.status ?? 'none',
          reason: answer?.reason ?? null,
          fields: new Map([...merged].map(([field, { winner }]) => [field, winner.value])),
        },
        count,
      )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, reader))
  return count
}
