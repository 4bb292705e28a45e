import { readFileSync } from 'node:fs'
import type { AboutVerdict } from '../../src/enrichment/signals/about/about-company.ts'
import type { CompanyIdentity } from '../../src/enrichment/signals/about/company-names.ts'
import { judgeStory } from '../../src/enrichment/signals/judge-story.ts'
import type { Story } from '../../src/enrichment/signals/stories/story.ts'

export interface GoldAbout {
  about: boolean
  company: CompanyIdentity
  story: Story
  /** The kind of difficulty, if labeled. */
  kind: string
}

export type GoldAboutSplit =
  | 'dev'
  | 'held-out'
  | 'namesakes-dev'
  | 'namesakes-held-out'
  | 'kinds-dev'
  | 'kinds-held-out'
  | 'fresh-dev'
  | 'fresh-held-out'

/** Reads third-party stories, labeled by whether the company is a main party. */
export function readGoldAbout(split: GoldAboutSplit): GoldAbout[] {
  const file = new URL(`../fixtures/gold/about/${split}.tsv`, import.meta.url)
  const lines = readFileSync(file, 'utf8').split('\n').slice(1).filter(Boolean)
  return lines.map((line) => {
    const [about, name = '', domain = '', place = '', headline = '', lead, kind = ''] = line.split('\t')
    const story = { url: 'https://news.example/story', headline, lead: lead || null, date: null }
    return { about: about === 'yes', company: { domain, names: [name], places: [place] }, story, kind }
  })
}

export function scoreAbout(gold: GoldAbout[]): {
  precision: number
  recall: number
  count: number
  wrong: (GoldAbout & { verdict: AboutVerdict })[]
} {
  const judged = gold.map((one) => ({ ...one, verdict: judgeStory(one.story, one.company).about }))
  const right = judged.filter(({ about, verdict }) => about && verdict.about).length
  const given = judged.filter(({ verdict }) => verdict.about).length
  return {
    precision: right / given,
    recall: right / judged.filter(({ about }) => about).length,
    count: judged.length,
    wrong: judged.filter(({ about, verdict }) => about !== verdict.about),
  }
}

/** Counts the correct decisions by kind of difficulty, hardest kind first. */
export function countKinds(gold: GoldAbout[]): { kind: string; right: number; count: number }[] {
  const kinds = Map.groupBy(gold, ({ kind }) => kind)
  return [...kinds]
    .map(([kind, ones]) => ({ kind, right: ones.length - scoreAbout(ones).wrong.length, count: ones.length }))
    .toSorted((a, b) => a.right / a.count - b.right / b.count || b.count - a.count)
}
