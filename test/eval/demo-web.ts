/** The whole demo web enriched, and counted against its answer key. */

import type { PlantedFacts } from '../../src/demo/answer-key.ts'
import type { DemoWebOptions } from '../../src/demo/start-demo-web.ts'
import { startDemoWeb } from '../../src/demo/start-demo-web.ts'
import { createFetcher } from '../../src/enrichment/fetching/fetcher.ts'
import type { Gathered } from '../../src/enrichment/gather.ts'
import { gather } from '../../src/enrichment/gather.ts'
import { merge } from '../../src/enrichment/merge.ts'
import { createWebsiteProvider } from '../../src/enrichment/providers/website.ts'
import { SOURCE_ORDER } from '../../src/enrichment/sources.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { enrichmentSettings, fetchingSettings } from '../helpers/web-server.ts'
import { Counts } from './counts.ts'

export interface DemoCount {
  fields: Map<string, Counts>
  /** Name and title pairs, by family of team pages. */
  people: Map<string, Counts>
  emails: Counts
  /** Signal types; what the newsroom tells and is none counts as one. */
  signals: Map<string, Counts>
  /** Companies whose status is not the planted one. */
  wrongStatus: { domain: string; planted: string; answered: string; reason: string | null }[]
  /** Every single difference, in words. */
  differences: string[]
}

/** Enriches every company of a demo web at once and counts what was found, wrong and missing. */
export async function countDemoWeb(options: DemoWebOptions): Promise<DemoCount> {
  await using web = await startDemoWeb(options)
  await using fetcher = createFetcher(
    fetchingSettings({ connect_to: web.connectTo, max_bytes: 2_000_000, timeout_seconds: 10 }),
  )
  const providers = [
    createWebsiteProvider({
      fetcher,
      receivesMail: async () => null,
      settings: enrichmentSettings(),
      clock: systemClock,
    }),
  ]
  const count: DemoCount = {
    fields: new Map(),
    people: new Map(),
    emails: new Counts(),
    signals: new Map(),
    wrongStatus: [],
    differences: [],
  }
  const { signal } = new AbortController()
  for (let start = 0; start < web.answerKey.length; start += 16)
    await Promise.all(
      web.answerKey.slice(start, start + 16).map(async (planted) => {
        const gathered = await gather(providers, {
          domain: planted.domain,
          known: {},
          groups: new Set(['company', 'leadership', 'signals']),
          maxPeople: 100,
          maxArticles: 25,
          signal,
          log: silentLog,
        })
        compare(planted, gathered, count)
      }),
    )
  return count
}

function compare(planted: PlantedFacts, gathered: Gathered, count: DemoCount): void {
  const { domain } = planted
  const [answer] = gathered.answers
  if (answer?.status !== planted.status)
    count.wrongStatus.push({
      domain,
      planted: planted.status,
      answered: answer?.status ?? 'none',
      reason: answer?.reason ?? null,
    })
  const differ = (what: string): void =>
    void count.differences.push(`${domain} (${planted.layout}, ${planted.markup}, ${planted.quirk}): ${what}`)

  const merged = merge(gathered.observations, SOURCE_ORDER)
  for (const [field, value] of Object.entries(planted.fields)) {
    const found = [...merged].find(([name]) => name === field)?.[1].winner.value
    at(count.fields, field).add(found === undefined ? 'missing' : same(found, value) ? 'right' : 'wrong')
    if (found === undefined || !same(found, value))
      differ(`${field} is ${JSON.stringify(value)}, found ${JSON.stringify(found)}`)
  }
  for (const [field, { winner }] of merged)
    if (!(field in planted.fields) && !UNPLANTED.has(field)) {
      at(count.fields, field).add('invented')
      differ(`${field} is not planted, found ${JSON.stringify(winner.value)}`)
    }

  const pair = (name: string, title: string | null): string => `${bareName(name)} | ${title ?? ''}`
  const pairs = new Set(gathered.people.map(({ full_name, title }) => pair(full_name, title)))
  for (const { full_name, title, email } of planted.people) {
    const isFound = pairs.delete(pair(full_name, title))
    at(count.people, planted.layout).add(isFound ? 'right' : 'missing')
    if (!isFound) differ(`${full_name}, ${title} is missing`)
    const found = gathered.people.find((person) => bareName(person.full_name) === bareName(full_name))
    if (email && found) count.emails.add(found.email === email ? 'right' : found.email ? 'wrong' : 'missing')
  }
  for (const extra of pairs) {
    at(count.people, planted.layout).add('invented')
    differ(`${extra} is not planted`)
  }

  const left = [...gathered.signals]
  for (const story of planted.stories) {
    const place = left.findIndex(({ headline }) => headline === story.headline)
    const [found] = place === -1 ? [] : left.splice(place, 1)
    if (story.type === 'none') {
      if (found) at(count.signals, found.type).add('invented')
    } else at(count.signals, story.type).add(!found ? 'missing' : found.type === story.type ? 'right' : 'wrong')
    if ((found?.type ?? 'none') !== story.type)
      differ(`"${story.headline}" is ${story.type}, found ${found?.type ?? 'none'}`)
  }
  for (const { type, headline } of left) {
    at(count.signals, type).add('invented')
    differ(`"${headline}" (${type}) is not planted`)
  }
}

/** True by what is planted, though not written out: bands follow from numbers, logos are on every page. */
const UNPLANTED = new Set(['employee_range', 'logo_url', 'industry'])

/** Degrees and forms of address are not part of a name for everybody. */
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
