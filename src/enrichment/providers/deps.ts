import type { Db } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Fetcher } from '../fetching/fetcher.ts'
import type { SecondOpinion, SecondOpinionSettings } from '../signals/second-opinion.ts'
import type { GdeltSettings } from './news/gdelt.ts'
import type { ReadPages } from './website/read-pages.ts'

/** The section `enrichment` of config/talhouse.yaml. */
export interface EnrichmentSettings {
  wikidata: {
    enabled: boolean
    /** Address of the Wikibase, without a path. */
    base_url: string
  }
  news: {
    gdelt: GdeltSettings
    /** Addresses of feeds that can be searched, with `{name}` or `{domain}` in them. */
    feeds: readonly string[]
  }
  second_opinion: SecondOpinionSettings
}

/** What a provider that asks the web may use. Tests pass their own. */
export interface WebDeps {
  fetcher: Fetcher
  settings: EnrichmentSettings
  /** Does a domain receive mail? Null: not known. See `mailReceiver`. */
  receivesMail: (domain: string) => Promise<boolean | null>
  clock: Clock
  /** @default reading in this process, without limits */
  readPages?: ReadPages
  /** Asked about stories whose type is uncertain; null when nobody is. See `createSecondOpinion`. */
  secondOpinion?: SecondOpinion | null
}

/** All that a provider may use. */
export interface ProviderDeps extends WebDeps {
  /** The service's database, for sources that were imported. They only read. */
  db: Db
}
