import { readFindings } from '../../src/enrichment/providers/website/read-findings.ts'
import type { FieldGroup, PersonObservation } from '../../src/findings/provider.ts'
import { Counts } from './counts.ts'
import type { RealPage, RealPageAddress } from './gold-real-pages.ts'
import { hashOfName, hashOfPair } from './gold-real-pages.ts'

const GROUPS: ReadonlySet<FieldGroup> = new Set(['company', 'leadership'])

/** Reads a page as a page about people, or as the home page, without fetching any other page. */
export function peopleOn({ url, content }: RealPage): PersonObservation[] {
  const { hostname, pathname } = new URL(url)
  const kind = pathname === '/' ? ('home' as const) : ('about' as const)
  return readFindings({
    site: { siteDomain: hostname, pages: [{ kind, url, charset: '', body: content }], feeds: [] },
    domain: hostname,
    known: {},
    groups: GROUPS,
    maxPeople: 200,
    maxArticles: 0,
    observedAt: '2026-03-01T00:00:00Z',
  }).people
}

/** Compares people with the hashed labels of pages. */
export class RealPageScore {
  /** Names of people with and without titles. Only people with titles can be missing. */
  readonly names = new Counts()
  /** Names with titles. A title given to a person whom the page shows without one is invented. */
  readonly people = new Counts()
  /** Names of people whose titles the page does not state. Finding them is not required. */
  readonly untitled = new Counts()
  readonly differences: string[] = []

  add(page: RealPageAddress, people: readonly Pick<PersonObservation, 'full_name' | 'title'>[]): void {
    const differ = (what: string): void => void this.differences.push(`${page.url} (${page.language}): ${what}`)
    const wanted = new Map(page.people.map(({ name, pairs }) => [name, new Set(pairs)]))
    const untitled = new Set(page.untitled)
    const optional = new Set(page.optional)
    for (const { full_name, title } of people) {
      const name = hashOfName(full_name)
      if (optional.has(name)) continue
      const pairs = wanted.get(name)
      wanted.delete(name)
      const isUntitled = untitled.delete(name)
      if (isUntitled) this.untitled.add('right')
      this.names.add(pairs || isUntitled ? 'right' : 'invented')
      if (isUntitled && title === null) continue
      const outcome = pairs?.has(hashOfPair(full_name, title)) ? 'right' : pairs ? 'wrong' : 'invented'
      this.people.add(outcome)
      if (outcome !== 'right') differ(`${full_name} | ${title} is ${outcome}`)
    }
    for (const _ of wanted) {
      this.names.add('missing')
      this.people.add('missing')
    }
    for (const _ of untitled) this.untitled.add('missing')
    if (wanted.size > 0) differ(`${wanted.size} people with titles are missing`)
    if (untitled.size > 0) differ(`${untitled.size} people without titles are missing`)
  }
}
