import type {
  CompanyFields,
  FieldGroup,
  Observation,
  PersonObservation,
  SignalObservation,
} from '../../../findings/provider.ts'
import type { UnsurePage } from '../../model-reader/model-reader.ts'
import { companyOfSite } from './company-of-site.ts'
import { parseSite } from './parse-site.ts'
import { peopleOfSite } from './people-of-site.ts'
import { signalsOfSite } from './signals-of-site.ts'
import type { SiteBytes } from './site-bytes.ts'
import { unsurePages } from './unsure-pages.ts'

export interface FindingsInput {
  site: SiteBytes
  /** The company's domain, before redirects. */
  domain: string
  known: Partial<CompanyFields>
  groups: ReadonlySet<FieldGroup>
  maxPeople: number
  maxArticles: number
  observedAt: string
  /** Whether to return the pages for the optional language model reader. */
  withUnsure?: boolean
}

/** Findings from a site's pages, before any checks that require network access. */
export interface SiteFindings {
  observations: Observation[]
  people: PersonObservation[]
  /** Domain of the derived email addresses; null if none were derived. */
  madeAt: string | null
  signals: SignalObservation[]
  /** Number of stories read, including stories without a signal. */
  stories: number
  /** Pages for the optional language model reader; empty if these pages are not requested. */
  unsure: UnsurePage[]
}

/** Extracts the requested groups from the fetched pages. */
export function readFindings({
  site: fetched,
  domain,
  known,
  groups,
  maxPeople,
  maxArticles,
  observedAt,
  withUnsure = false,
}: FindingsInput): SiteFindings {
  const site = parseSite(fetched)
  const observations = companyOfSite(site, domain, observedAt)
  const context = { domain, names: namesIn(observations, known), observed_at: observedAt }
  const team = groups.has('leadership') ? peopleOfSite(site, context, maxPeople) : { people: [], madeAt: null }
  return {
    observations,
    ...team,
    unsure: withUnsure ? unsurePages(site, groups, { observations, people: team.people }) : [],
    ...(groups.has('signals') ? signalsOfSite(site, context, maxArticles) : { signals: [], stories: 0 }),
  }
}

/** Maximum length of a name. Longer text is not treated as a name. */
const MAX_NAME_LENGTH = 200

function namesIn(observations: readonly Observation[], { name, legal_name }: Partial<CompanyFields>): string[] {
  const said = observations
    .filter(({ field }) => field === 'name' || field === 'legal_name')
    .map(({ value }) => String(value))
  return [
    ...new Set([name ?? '', legal_name ?? '', ...said].filter(({ length }) => length > 0 && length <= MAX_NAME_LENGTH)),
  ]
}
