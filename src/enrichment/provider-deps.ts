import type { Clock } from '../lib/clock.ts'
import type { Fetcher } from './fetching/fetcher.ts'

/** The section `enrichment` of config/talhouse.yaml. */
export interface EnrichmentSettings {
  wikidata: {
    enabled: boolean
    /** Address of the Wikibase, without a path. */
    base_url: string
  }
}

/** All that a provider may use. Tests pass their own. */
export interface ProviderDeps {
  fetcher: Fetcher
  settings: EnrichmentSettings
  /** Does a domain receive mail? Null: not known. See `mailReceiver`. */
  receivesMail: (domain: string) => Promise<boolean | null>
  clock: Clock
}
