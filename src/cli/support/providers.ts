import type { Db } from '../../db/database.ts'
import { createFetcher } from '../../enrichment/fetching/fetcher.ts'
import { createSharedHostRateLimit } from '../../enrichment/fetching/shared-host-rate-limit.ts'
import { createSharedRobots } from '../../enrichment/fetching/shared-robots.ts'
import type { ModelReader } from '../../enrichment/model-reader/model-reader.ts'
import { mailReceiver } from '../../enrichment/people/emails/check-mx.ts'
import { openReaderPool } from '../../enrichment/providers/website/reader-pool.ts'
import { createRenderer } from '../../enrichment/rendering/renderer.ts'
import type { SecondOpinion } from '../../enrichment/signals/second-opinion.ts'
import type { Provider } from '../../findings/provider.ts'
import { systemClock } from '../../lib/clock.ts'
import { onFirstUse } from '../../lib/on-first-use.ts'
import type { WorkMetrics } from '../../worker/metrics.ts'
import type { Command } from './command.ts'

/** The configured providers. Disposal closes the providers' connections and stops the page reader processes. */
export interface OpenProviders extends AsyncDisposable {
  /** Imports the providers on the first call, because their models and word lists take 20 MB. */
  list: () => Promise<readonly Provider[]>
}

/** Opens the configured providers and measures their calls and crawl delays. */
export function openProviders(command: Command, db: Db, { measureCrawl, measureProvider }: WorkMetrics): OpenProviders {
  const { config, log } = command
  const stack = new AsyncDisposableStack()
  const { readPages } = stack.use(openReaderPool(config.enrichment.reading))
  const fetcher = createFetcher(config.fetching, {
    hostRateLimit: measureCrawl(createSharedHostRateLimit(db, log)),
    robots: createSharedRobots(db, log),
  })
  stack.use(fetcher)
  const { rendering } = config.enrichment
  const renderer =
    rendering.engine === 'none'
      ? null
      : stack.use(createRenderer(rendering, { fetcher, maxPageBytes: config.fetching.max_bytes, log }))
  const list = onFirstUse(async () => {
    const { createProviders } = await import('../../enrichment/providers/list.ts')
    const providers = createProviders({
      db,
      fetcher,
      settings: config.enrichment,
      receivesMail: mailReceiver(),
      clock: systemClock,
      readPages,
      secondOpinion: await secondOpinion(command),
      modelReader: await modelReader(command),
      renderer,
    })
    return providers.map(measureProvider)
  })
  return { list, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** Creates the second-opinion client, which sends headlines only if its URL is set. */
async function secondOpinion({ config, log }: Command): Promise<SecondOpinion | null> {
  const { second_opinion: settings } = config.enrichment
  if (settings.base_url === '') return null
  const { createSecondOpinion } = await import('../../enrichment/signals/second-opinion.ts')
  return createSecondOpinion(settings, { apiKey: config.secrets.second_opinion_api_key, log })
}

/** Creates the page reader that uses a language model. The page reader sends page text only if its URL is set. */
async function modelReader({ config, log }: Command): Promise<ModelReader | null> {
  const { reader: settings } = config.enrichment
  if (settings.base_url === '') return null
  const { createModelReader } = await import('../../enrichment/model-reader/model-reader.ts')
  return createModelReader(settings, { apiKey: config.secrets.reader_api_key, log })
}
