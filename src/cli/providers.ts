import type { Db } from '../db/database.ts'
import { createFetcher } from '../enrichment/fetching/fetcher.ts'
import { mailReceiver } from '../enrichment/people/check-mx.ts'
import type { Provider } from '../enrichment/provider.ts'
import { createProviders } from '../enrichment/providers/list.ts'
import { createScheduleProvider } from '../enrichment/providers/schedule-ab.ts'
import { systemClock } from '../lib/clock.ts'
import type { Command } from './command.ts'

/** The sources that this installation asks, as its settings say. Disposing of it closes their connections. */
export interface OpenProviders extends AsyncDisposable {
  list: readonly Provider[]
}

export function openProviders({ config }: Command, db: Db): OpenProviders {
  const fetcher = createFetcher(config.fetching)
  const deps = { fetcher, settings: config.enrichment, receivesMail: mailReceiver(), clock: systemClock }
  const list = [createScheduleProvider(db), ...createProviders(deps)]
  return { list, [Symbol.asyncDispose]: () => fetcher[Symbol.asyncDispose]() }
}
