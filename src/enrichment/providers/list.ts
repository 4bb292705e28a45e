import type { Provider } from '../../findings/provider.ts'
import type { ProviderDeps } from './deps.ts'
import { formAdvProvider } from './form-adv.ts'
import { createFirmChangesProvider } from './form-adv-changes.ts'
import { createNewsProvider } from './news.ts'
import { createScheduleProvider } from './schedule-ab.ts'
import { createWebsiteProvider } from './website.ts'
import { createWikidataProvider } from './wikidata.ts'

/** The factories of all providers. A factory returns null if the settings disable its provider. */
const PROVIDERS: readonly ((deps: ProviderDeps) => Provider | null)[] = [
  ({ db }) => formAdvProvider(db),
  ({ db }) => createScheduleProvider(db),
  ({ db }) => createFirmChangesProvider(db),
  createWebsiteProvider,
  createNewsProvider,
  createWikidataProvider,
]

/** Creates the providers that the settings enable. */
export const createProviders = (deps: ProviderDeps): Provider[] =>
  PROVIDERS.map((create) => create(deps)).filter((provider) => provider !== null)
