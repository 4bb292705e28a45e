import type { PlantedFacts } from '../../src/demo/answer-key.ts'
import { Counts } from './counts.ts'

/** The enrichment result of one company. */
export interface FoundFacts {
  status: string
  reason: string | null
  fields: ReadonlyMap<string, string | number>
  people: readonly { full_name: string; title: string | null; email: string | null; social_url: string | null }[]
  signals: readonly { type: string; headline: string; date: string | null }[]
}

export interface DemoCount {
  fields: Map<string, Counts>
  /** Name and title pairs, by layout family of the team page. */
  people: Map<string, Counts>
  emails: Counts
  profiles: Counts
  /** Counts by signal type, including `none` for stories that are not signals. */
  signals: Map<string, Counts>
  /** Counts of all facts, by the site's structured data format. */
  markups: Map<string, Counts>
  /** Counts of all facts, by the site's quirk. */
  quirks: Map<string, Counts>
  /** Companies whose status differs from the planted status. */
  wrongStatus: { domain: string; planted: string; answered: string; reason: string | null }[]
  /** A description of every difference. */
  differences: string[]
}

export const newCount = (): DemoCount => ({
  fields: new Map(),
  people: new Map(),
  emails: new Counts(),
  profiles: new Counts(),
  signals: new Map(),
  markups: new Map(),
  quirks: new Map(),
  wrongStatus: [],
  differences: [],
})

/** Compares the result with the answer key, fact by fact. */
export function compareWithKey(planted: PlantedFacts, found: FoundFacts, count: DemoCount): void {
  const { domain, layout, markup, quirk } = planted
  if (found.status !== planted.status)
    count.wrongStatus.push({ domain, planted: planted.status, answered: found.status, reason: found.reason })
  const all = [at(count.markups, markup), at(count.quirks, quirk)]
  const add = (counts: Counts, outcome: Parameters<Counts['add']>[0]): void => {
    for (const one of [counts, ...all]) one.add(outcome)
  }
  const differ = (what: string): void =>
    void count.differences.push(`${domain} (${layout}, ${markup}, ${quirk}): ${what}`)

  for (const [field, value] of Object.entries(planted.fields)) {
    const seen = found.fields.get(field)
    const outcome = seen === undefined ? 'missing' : same(seen, value) ? 'right' : 'wrong'
    add(at(count.fields, field), outcome)
    if (outcome !== 'right') differ(`${field} is ${JSON.stringify(value)}, found ${JSON.stringify(seen)}`)
  }
  for (const [field, value] of found.fields)
    if (!(field in planted.fields) && !UNPLANTED.has(field)) {
      add(at(count.fields, field), 'invented')
      differ(`${field} is not planted, found ${JSON.stringify(value)}`)
    }

  const pairOf = (name: string, title: string | null): string => `${bareName(name)} | ${title ?? ''}`
  const pairs = new Set(found.people.map(({ full_name, title }) => pairOf(full_name, title)))
  for (const { full_name, title, email, social_url } of planted.people) {
    const isFound = pairs.delete(pairOf(full_name, title))
    add(at(count.people, layout), isFound ? 'right' : 'missing')
    if (!isFound) differ(`${full_name}, ${title} is missing`)
    const person = found.people.find((one) => bareName(one.full_name) === bareName(full_name))
    if (!person) continue
    if (email) add(count.emails, person.email === email ? 'right' : person.email ? 'wrong' : 'missing')
    if (social_url)
      add(count.profiles, person.social_url === social_url ? 'right' : person.social_url ? 'wrong' : 'missing')
  }
  for (const extra of pairs) {
    add(at(count.people, layout), 'invented')
    differ(`${extra} is not planted`)
  }

  const left = [...found.signals]
  for (const story of planted.stories) {
    const place = left.findIndex(({ headline, date }) => headline === story.headline && date === story.date)
    const [signal] = place === -1 ? [] : left.splice(place, 1)
    if (story.type !== 'none')
      add(at(count.signals, story.type), !signal ? 'missing' : signal.type === story.type ? 'right' : 'wrong')
    else if (signal) add(at(count.signals, signal.type), 'invented')
    if ((signal?.type ?? 'none') !== story.type)
      differ(`"${story.headline}" is ${story.type}, found ${signal?.type ?? 'none'}`)
  }
  for (const { type, headline } of left) {
    add(at(count.signals, type), 'invented')
    differ(`"${headline}" (${type}) is not planted`)
  }
}

/** Fields that are correct but not in the answer key: ranges are derived from numbers, and every page has a logo. */
const UNPLANTED = new Set(['employee_range', 'logo_url', 'industry', 'naics_code', 'naics_title'])

/** Removes degrees and forms of address, which sources may or may not include in a name. */
const bareName = (name: string): string => name.replace(/^Dr\. /, '').replace(/, CFA$/, '')

const at = (counts: Map<string, Counts>, name: string): Counts => {
  const known = counts.get(name) ?? new Counts()
  counts.set(name, known)
  return known
}

const same = (a: string | number, b: string | number): boolean =>
  typeof a === 'number' || typeof b === 'number'
    ? Number(a) === Number(b)
    : a.trim().replace(/\.$/, '') === b.trim().replace(/\.$/, '')
