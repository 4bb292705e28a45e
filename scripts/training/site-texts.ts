/** Labeled texts of the sites for training: names, titles and other short texts, headings, and the words around names. */
import { parsePage } from '../../src/enrichment/extract/page.ts'
import type { Mention, MentionKind } from '../../src/enrichment/people/models/classify-mention.ts'
import type { SectionKind } from '../../src/enrichment/people/models/classify-section.ts'
import type { TextKind } from '../../src/enrichment/people/models/classify-text.ts'
import { nameKey } from '../../src/enrichment/people/page/name-key.ts'
import type { NameSpan } from '../../src/enrichment/people/page/name-span.ts'
import { findNameSpans } from '../../src/enrichment/people/page/name-spans.ts'
import type { Line } from '../../src/enrichment/people/page/page-lines.ts'
import { linesOf } from '../../src/enrichment/people/page/page-lines.ts'
import { mentionOf } from '../../src/enrichment/people/page/pair-features.ts'
import type { Surroundings } from '../../src/enrichment/people/page/surroundings.ts'
import { surroundingsOf } from '../../src/enrichment/people/page/surroundings.ts'
import type { GoldSite } from '../../test/eval/gold-sites.ts'
import type { Labeled } from './text-examples.ts'

/** Maximum length of a short text or heading. */
const MAX_LENGTH = 60
/** Minimum score of the name of somebody who is not in the key. */
const MIN_NAME = 0.5
/** Number of headings above a name that describe it. */
const HEADINGS = 2

export interface SiteTexts {
  texts: Labeled<TextKind>[]
  sections: Labeled<SectionKind>[]
  mentions: { mention: Mention; kind: MentionKind }[]
}

interface ReadLines {
  lines: readonly Line[]
  /** Names of the company's people and names with a high score. */
  names: readonly { span: NameSpan; isOwn: boolean }[]
  around: Surroundings
}

/** Returns the labeled texts of a site. */
export function textsOfSite(site: GoldSite): SiteTexts {
  const language = site.language.slice(0, 2)
  const own = new Set([...site.people, ...(site.untitled_people ?? [])].map(({ full_name }) => nameKey(full_name)))
  const pages = Object.entries(site.pages)
    .filter(([path, html]) => /<\w/u.test(html) && !/\.(?:json|xml|txt)$/u.test(path))
    .map(([path, html]) => readLines(html, `https://${site.domain}${path}`, own))
  return {
    texts: [...shortTexts(site, pages)].map(([text, kind]) => ({ text, kind, language })),
    sections: [...headings(pages)]
      .filter(([text]) => text.length <= MAX_LENGTH && !own.has(nameKey(text)))
      .map(([text, kind]) => ({ text, kind, language })),
    mentions: pages.flatMap(({ lines, names, around }) =>
      names.map(({ span, isOwn }) => ({ mention: mentionOf(span, lines, around), kind: isOwn ? 'own' : 'other' })),
    ),
  }
}

function readLines(html: string, url: string, own: ReadonlySet<string>): ReadLines {
  const page = parsePage(html, url)
  const lines = linesOf(page)
  const spans = findNameSpans(lines)
  return {
    lines,
    names: spans.flatMap((span) => {
      const isOwn = own.has(nameKey(span.text))
      return isOwn || span.score > MIN_NAME ? [{ span, isOwn }] : []
    }),
    around: surroundingsOf(
      page,
      lines,
      Map.groupBy(spans, ({ row }) => row),
    ),
  }
}

/** Returns the site's names and titles, and short lines that contain neither. */
function shortTexts({ people, untitled_people = [] }: GoldSite, pages: readonly ReadLines[]): Map<string, TextKind> {
  const texts = new Map<string, TextKind>()
  for (const { full_name, title } of people) texts.set(full_name, 'name').set(title, 'title')
  for (const { full_name } of untitled_people) texts.set(full_name, 'name')
  const titles = people.map(({ title }) => title.toLowerCase())
  for (const { lines, names } of pages) {
    const named = new Set(names.map(({ span }) => span.line.text))
    for (const { text } of lines) {
      const lower = text.toLowerCase()
      const isTitle = titles.some((title) => lower.includes(title) || title.includes(lower))
      if (text.length <= MAX_LENGTH && /\p{L}{2}/u.test(text) && !texts.has(text) && !named.has(text) && !isTitle)
        texts.set(text, 'other')
    }
  }
  return texts
}

/** Returns the headings, and whether most names below each are the company's people. */
function headings(pages: readonly ReadLines[]): Map<string, SectionKind> {
  const people = new Map<string, { own: Set<string>; others: Set<string> }>()
  for (const { lines, names, around } of pages) {
    for (const { heading, text } of lines)
      if (heading > 0 && !people.has(text)) people.set(text, { own: new Set(), others: new Set() })
    for (const { span, isOwn } of names)
      for (const { text } of (around.above[span.row] ?? []).slice(0, HEADINGS)) {
        const below = people.get(text) ?? { own: new Set(), others: new Set() }
        below[isOwn ? 'own' : 'others'].add(nameKey(span.text))
        people.set(text, below)
      }
  }
  return new Map(
    [...people].map(([text, { own, others }]) => [
      text,
      own.size + others.size === 0 ? 'neutral' : own.size > others.size ? 'own' : 'others',
    ]),
  )
}
