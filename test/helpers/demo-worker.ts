import type { DemoWeb } from '../../src/demo/start-demo-web.ts'
import { createFetcher } from '../../src/enrichment/fetching/fetcher.ts'
import { createProviders } from '../../src/enrichment/providers/list.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { createItemEnricher } from '../../src/worker/enrich.ts'
import type { TestService } from './service.ts'
import { enrichmentSettings, fetchingSettings } from './web-server.ts'
import { startWorkerOn } from './work.ts'

/** Starts a worker with every source, which can reach only the demo web. */
export function startDemoWorker(service: TestService, web: DemoWeb): AsyncDisposable {
  const stack = new AsyncDisposableStack()
  const { db } = service
  const fetching = fetchingSettings({
    connect_to: web.connectTo,
    extra_ca_files: [web.authorityFile],
    own_hosts: ['*.example'],
    timeout_seconds: 20,
  })
  const fetcher = stack.use(createFetcher(fetching))
  const settings = enrichmentSettings()
  const providers = createProviders({ db, fetcher, settings, receivesMail: async () => null, clock: systemClock })
  const limits = { people: 25, articles: 10 }
  stack.use(startWorkerOn(service, createItemEnricher({ db, providers, log: silentLog, limits, freshDays: 30 })))
  return stack
}
