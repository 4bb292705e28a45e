import { readFileSync } from 'node:fs'
import { parsePage } from '../../src/enrichment/extract/page.ts'
import { structuredDataOf } from '../../src/enrichment/extract/structured-data.ts'
import { extractPeople } from '../../src/enrichment/people/extract-people.ts'
import { parseName } from '../../src/enrichment/people/names/parse-name.ts'
import { nameKey } from '../../src/enrichment/people/page/name-key.ts'
import type { GoldPage } from './people-gold/make-gold.ts'
import type { Half } from './titles.ts'

/** Counts of correct, wrong and missing answers. */
export interface Counts {
  right: number
  wrong: number
  missing: number
}

export interface PeopleScore {
  family: string
  pages: number
  /** Counts pairs of name and title. */
  pairs: Counts
  names: Counts
  emails: Counts
  misses: string[]
}

export const precision = ({ right, wrong }: Counts): number => (right + wrong === 0 ? 1 : right / (right + wrong))
export const recall = ({ right, missing }: Counts): number => (right + missing === 0 ? 1 : right / (right + missing))

const none = (): Counts => ({ right: 0, wrong: 0, missing: 0 })
const keyOf = (name: string): string => nameKey(parseName(name)?.full_name ?? name)
const tidyTitle = (title: string | null | undefined): string => (title ?? '').replace(/\s+/g, ' ').trim()

/** Reads every gold page in a half and compares the people found with the expected people, by layout family. */
export function scorePeople(half: Half): PeopleScore[] {
  const folder = new URL(`../fixtures/gold/people/${half}/`, import.meta.url)
  const pages = JSON.parse(readFileSync(new URL('index.json', folder), 'utf8')) as GoldPage[]
  const scores = new Map<string, PeopleScore>()
  for (const page of pages) {
    const score = scores.get(page.family) ?? {
      family: page.family,
      pages: 0,
      pairs: none(),
      names: none(),
      emails: none(),
      misses: [],
    }
    scores.set(page.family, score)
    score.pages++
    const html = readFileSync(new URL(page.file, folder), 'utf8')
    const parsed = parsePage(html, page.url)
    const found = extractPeople(parsed, structuredDataOf(parsed, html), {
      domain: page.firm.domain,
      names: [page.firm.name],
      source: 'website',
      observed_at: '2026-11-21T00:00:00.000000Z',
    })
    const asGold = found.map(({ full_name, title, email }) => ({ name: full_name, title, email: email ?? undefined }))
    count(score.names, page.people, asGold, ({ name }) => keyOf(name), page, score.misses)
    count(
      score.pairs,
      page.people,
      asGold,
      ({ name, title }) => `${keyOf(name)} => ${tidyTitle(title)}`,
      page,
      score.misses,
    )
    count(
      score.emails,
      page.people.filter(({ email }) => email),
      asGold.filter(({ email }) => email),
      ({ name, email }) => `${keyOf(name)} ${email}`,
      page,
      score.misses,
    )
  }
  return [...scores.values()]
}

interface Answer {
  name: string
  title: string | null
  email?: string | undefined
}

function count(
  counts: Counts,
  gold: Answer[],
  found: Answer[],
  key: (answer: Answer) => string,
  { file }: GoldPage,
  misses: string[],
): void {
  const [expected, got] = [new Set(gold.map(key)), new Set(found.map(key))]
  for (const one of got) {
    if (expected.has(one)) counts.right++
    else {
      counts.wrong++
      misses.push(`${file}: wrong ${one}`)
    }
  }
  for (const one of expected)
    if (!got.has(one)) {
      counts.missing++
      misses.push(`${file}: missing ${one}`)
    }
}

export function total(scores: PeopleScore[], field: 'pairs' | 'names' | 'emails'): Counts {
  const sum = none()
  for (const score of scores) for (const key of ['right', 'wrong', 'missing'] as const) sum[key] += score[field][key]
  return sum
}

if (import.meta.main) {
  const half: Half = process.argv[2] === 'dev' ? 'dev' : 'held-out'
  const scores = scorePeople(half)
  const line = (name: string, counts: Counts): string =>
    `${name.padEnd(34)} P ${precision(counts).toFixed(3)}  R ${recall(counts).toFixed(3)}  right ${counts.right} wrong ${counts.wrong} missing ${counts.missing}`
  for (const { family, pairs } of scores) console.log(line(family, pairs))
  for (const field of ['pairs', 'names', 'emails'] as const) console.log(line(`all ${field}`, total(scores, field)))
  if (process.argv.includes('--misses')) console.log([...new Set(scores.flatMap(({ misses }) => misses))].join('\n'))
}
