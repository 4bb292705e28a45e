import type { FieldGroup, Observation, PersonObservation } from '../../../findings/provider.ts'
import { linesOf } from '../../extract/page.ts'
import type { UnsurePage } from '../../model-reader/model-reader.ts'
import type { Site, SitePage } from './parse-site.ts'

/**
 * Minimum number of people with titles, and minimum confidence, at which a built-in reader's result is considered
 * certain.
 */
const ENOUGH = 2
const SURE = 0.7
const FACTS = ['legal_name', 'phone', 'headquarters_city'] as const
const MAX_PAGES = 10
/** Maximum number of characters kept per page. */
const MAX_TEXT = 12_000

const PEOPLE_KINDS: readonly SitePage['kind'][] = ['team', 'about', 'other']
const FACT_KINDS: readonly SitePage['kind'][] = ['legal', 'contact', 'about', 'home']

/**
 * Returns the text of pages that may contain requested data that the built-in readers did not find with confidence. The
 * most promising page comes first.
 */
export function unsurePages(
  site: Site,
  groups: ReadonlySet<FieldGroup>,
  { observations, people }: { observations: readonly Observation[]; people: readonly PersonObservation[] },
): UnsurePage[] {
  const sure = people.filter(({ title, confidence }) => title !== null && confidence >= SURE)
  const fields = new Set(observations.map(({ field }) => field))
  const kinds = [
    ...(groups.has('leadership') && sure.length < ENOUGH ? PEOPLE_KINDS : []),
    ...(groups.has('company') && FACTS.some((field) => !fields.has(field)) ? FACT_KINDS : []),
  ]
  const pages = new Set(kinds.flatMap((kind) => site.pages.filter((page) => page.kind === kind)))
  return [...pages].slice(0, MAX_PAGES).map(({ page }) => ({
    url: page.url,
    text: linesOf(page.$('body')).join('\n').slice(0, MAX_TEXT),
  }))
}
