import type { Db } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Fetcher } from '../fetching/fetcher.ts'
import type { ModelReader, ModelReaderSettings } from '../model-reader/model-reader.ts'
import type { Renderer } from '../rendering/renderer.ts'
import type { RenderingSettings } from '../rendering/settings.ts'
import type { SecondOpinion, SecondOpinionSettings } from '../signals/second-opinion.ts'
import type { GdeltSettings } from './news/gdelt.ts'
import type { ReadPages } from './website/read-pages.ts'

/** The `enrichment` section of config/talhouse.yaml. */
export interface EnrichmentSettings {
  crawl: {
    /** Maximum number of pages fetched from one company's site, not counting robots.txt, sitemaps and feeds. */
    pages_per_company: number
  }
  wikidata: {
    enabled: boolean
    /** URL of the Wikibase, without a path. */
    base_url: string
  }
  news: {
    gdelt: GdeltSettings
    /** URL templates of searchable feeds, with the placeholder `{name}` or `{domain}`. */
    feeds: readonly string[]
  }
  second_opinion: SecondOpinionSettings
  reader: ModelReaderSettings
  rendering: RenderingSettings
}

/** Dependencies of providers that fetch web pages. */
export interface WebDeps {
  fetcher: Fetcher
  settings: EnrichmentSettings
  /** Returns whether a domain receives mail; null if unknown. See `mailReceiver`. */
  receivesMail: (domain: string) => Promise<boolean | null>
  clock: Clock
  /** @default reads pages in this process, without time or memory limits */
  readPages?: ReadPages
  /** Reclassifies stories of uncertain type. See `createSecondOpinion`. */
  secondOpinion?: SecondOpinion | null
  /** Reads pages that the built-in readers did not read with confidence. See `createModelReader`. */
  modelReader?: ModelReader | null
  /** Renders pages that only scripts draw. See `createRenderer`. */
  renderer?: Renderer | null
}

/** Dependencies of a provider that reads imported data. */
export interface ProviderDeps extends WebDeps {
  /** The service's database, which providers only read. */
  db: Db
}
