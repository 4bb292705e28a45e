import { foldAccents } from '../../../lib/fold-accents.ts'
import { tidy } from '../../extract/page.ts'
import { labelOf, squeeze } from '../own-name.ts'
import type { Features } from './decide.ts'
import { grams } from './features.ts'
import type { SiteText } from './site-text.ts'

/** A phrase that may describe the company's business. */
export interface IndustryCandidate {
  phrase: string
  page: number
  /** Position of the phrase, such as `title` or `predicate in text`. */
  sources: ReadonlySet<string>
  features: Features
}

const MAX_LENGTH = 90
const MIN_LENGTH = 5
const EARLY = 25
const TITLE_PART = /\s+[|·•–—:«»~-]+\s+|\s*[|｜–—：]\s*|:\s+/u

/**
 * Finds phrases that may describe the company: parts of the home page's title, taglines, predicates of sentences whose
 * subject is the company, and values of table rows. Phrases are cut off before any of `places`, the names of the
 * company's locations.
 */
export function industryCandidates(
  site: SiteText,
  names: readonly string[],
  places: readonly string[],
): IndustryCandidate[] {
  const found = new Map<string, { phrase: string; page: number; sources: Set<string>; texts: Set<string> }>()
  // A phrase made only of words from the company's name does not describe the company.
  const isName = (phrase: string): boolean =>
    names.some((name) => squeeze(name) === squeeze(phrase)) ||
    labelOf(site.domain).includes(squeeze(phrase)) ||
    phrase.split(' ').every((word) => site.ownWords.has(squeeze(word)))
  const add = (text: string, source: string, page: number, lead = ''): void => {
    const phrase = trimPhrase(text, places)
    const key = fold(phrase)
    if (phrase.length < MIN_LENGTH && !/[^\p{ASCII}]/u.test(phrase)) return
    if (phrase.length > MAX_LENGTH || phrase.length < 3 || isName(phrase)) return
    const one = found.get(key) ?? { phrase, page, sources: new Set(), texts: new Set() }
    one.sources.add(source)
    if (lead) one.texts.add(lead)
    // Prefer sentence case to title case.
    if (source !== 'title' && one.sources.has('title')) one.phrase = phrase
    found.set(key, one)
  }
  const home = site.titles[0] ?? ''
  const parts = home.split(TITLE_PART).map(tidy).filter(Boolean)
  for (const part of parts) if (parts.length > 1) add(part, 'title', 0)
  for (const name of site.pages
    .slice(0, 1)
    .flatMap(({ $ }) => [
      $('meta[name="description" i]').first().attr('content') ?? '',
      $('meta[property="og:description" i]').first().attr('content') ?? '',
      $('meta[property="og:title" i]').first().attr('content') ?? '',
    ]))
    for (const sentence of sentencesOf(name)) read(sentence, 'meta', 0, true)
  const order = new Map<number, number>()
  for (const { text, label, page, area } of site.statements.filter((one) => one.area !== 'header')) {
    const place = (order.get(page) ?? 0) + 1
    order.set(page, place)
    if (label && text.length <= MAX_LENGTH) add(text, 'row', page, label)
    if (text.length > 600 || place > EARLY * 2) continue
    for (const sentence of sentencesOf(text))
      read(sentence, area === 'script' ? 'script' : 'text', page, page === 0 && place <= EARLY)
  }
  function read(sentence: string, source: string, page: number, isEarly: boolean): void {
    for (const { phrase, lead } of predicatesOf(sentence, names)) {
      const isOwn = !lead.startsWith('first ')
      // On other pages, sentences in the first person often describe something other than the company.
      if (isOwn || isEarly) add(phrase, isOwn ? `predicate in ${source}` : `first person in ${source}`, page, lead)
    }
    if (isEarly && page === 0) add(sentence, `line of ${source}`, page)
  }
  const phrases = withShared([...found.values()]).filter(({ phrase }) => !isName(phrase))
  return phrases.map(({ phrase, page, sources, texts, shared }) => ({
    phrase,
    page,
    sources,
    features: {
      shapes: [
        ...[...sources].map((source) => `source ${source}`),
        `page ${page === 0 ? 'home' : 'other'}`,
        `shared ${Math.min(shared, 2)}`,
        ...shapesOf(phrase),
      ],
      words: [
        ...phraseGrams(phrase),
        ...[...texts].slice(0, 4).flatMap((text) => grams('K', text.match(/[\p{L}\p{M}]+/gu) ?? [])),
      ],
    },
  }))
}

export const phraseGrams = (phrase: string): string[] => grams('P', phrase.match(/[\p{L}\p{M}]+/gu)?.slice(0, 8) ?? [])

export const shapesOf = (phrase: string): string[] => [
  `words ${Math.min(phrase.split(' ').length, 9)}`,
  ...(/[.!?,:;]/u.test(phrase) ? ['punctuation'] : []),
  ...(/\d/u.test(phrase) ? ['digit'] : []),
  `case ${/^\p{Lu}/u.test(phrase) ? 'upper' : /^\p{Ll}/u.test(phrase) ? 'lower' : 'none'}`,
]

/**
 * Selects the phrase that describes the company. In order of preference: a predicate of the company's name, a prefix
 * shared by several phrases, a phrase in both the title and the text, and the most probable phrase. `p` is the
 * probability of a phrase.
 */
export function selectIndustry<Candidate extends IndustryCandidate & { p: number }>(
  candidates: readonly Candidate[],
): Candidate | undefined {
  const ranked = candidates.toSorted((a, b) => b.p - a.p)
  const from = (source: string, least: number): Candidate | undefined =>
    ranked.find(({ sources, p }) => p >= least && [...sources].some((one) => one.startsWith(source)))
  const [best] = ranked
  const chosen =
    from('predicate', MIN_PREDICATE) ??
    from('common', MIN_COMMON) ??
    ranked.find(({ sources, p }) => p >= MIN_REPEATED && sources.has('title') && sources.size > 1) ??
    (best && best.p >= MIN_ALONE ? best : undefined)
  // Keep only the prefix shared with other phrases, because the rest is specific to one sentence. If the phrase ends
  // with a part of the title, keep only that part, because words such as `specialized in` precede it.
  return (
    chosen &&
    (ranked.find(
      ({ sources, phrase }) =>
        (sources.has('common') && fold(chosen.phrase).startsWith(`${fold(phrase)} `)) ||
        (sources.has('title') && phrase.includes(' ') && fold(chosen.phrase).endsWith(` ${fold(phrase)}`)),
    ) ??
      chosen)
  )
}

const MIN_PREDICATE = 0.15
const MIN_COMMON = 0.02
/** Minimum probability of a part of the title that is also a line of the home page. */
const MIN_REPEATED = 0.1
const MIN_ALONE = 0.4

type Found = { phrase: string; page: number; sources: Set<string>; texts: Set<string> }

/**
 * Adds the common prefix of phrases that start with the same words: `Brasserie artisanale` for `Brasserie artisanale en
 * bord de Sambre` and `Brasserie artisanale installée`. `shared` is the number of other phrases that contain the
 * phrase.
 */
function withShared(all: readonly Found[]): (Found & { shared: number })[] {
  const begins = new Map<string, Found>()
  for (const [place, one] of all.entries())
    for (const other of all.slice(place + 1)) {
      const common = commonStart(one.phrase, other.phrase)
      if (!common || fold(common) === fold(one.phrase) || fold(common) === fold(other.phrase)) continue
      const known = begins.get(fold(common)) ?? {
        phrase: common,
        page: Math.min(one.page, other.page),
        sources: new Set(['common']),
        texts: new Set<string>(),
      }
      for (const source of [...one.sources, ...other.sources]) known.sources.add(source)
      begins.set(fold(common), known)
    }
  const merged = [
    ...all,
    ...[...begins].filter(([key]) => !all.some(({ phrase }) => fold(phrase) === key)).map(([, one]) => one),
  ]
  return merged.map((one) => ({
    ...one,
    shared: all.filter(({ phrase }) => phrase !== one.phrase && fold(phrase).includes(fold(one.phrase))).length,
  }))
}

/** Returns the common leading words of two phrases, if there are at least two. */
function commonStart(one: string, other: string): string | undefined {
  const [left, right] = [one.split(' '), other.split(' ')]
  let count = 0
  while (count < left.length && count < right.length && fold(left[count] as string) === fold(right[count] as string))
    count++
  const words = (/^\p{Ll}/u.test(other) ? right : left).slice(0, count)
  while (
    words.length > 0 &&
    /^\p{L}{1,3}$/u.test(words.at(-1) as string) &&
    words.at(-1) === words.at(-1)?.toLowerCase()
  )
    words.pop()
  return words.length >= 2 ? words.join(' ').replace(/[,;:.]+$/u, '') : undefined
}

const fold = (text: string): string =>
  foldAccents(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .trim()

const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?。])\s*(?=\p{Lu}|[^\p{ASCII}])/u)
    .map((one) => one.trim())
    .filter(Boolean)

/** Matches the company's name near the start, at most three short words such as `is a`, and the predicate. */
function predicatesOf(sentence: string, names: readonly string[]): { phrase: string; lead: string }[] {
  const found: { phrase: string; lead: string }[] = []
  for (const name of names) {
    const at = sentence.toLowerCase().indexOf(name.toLowerCase())
    if (name.length < 2 || at < 0 || at > 30) continue
    const rest = sentence.slice(at + name.length)
    const apposition = /^\s?,\s(?:\p{L}{1,5}\s)?(?<phrase>\p{L}.+)$/u.exec(rest)?.groups?.['phrase']
    if (apposition) found.push({ phrase: apposition, lead: 'apposition' })
    const predicate = /^(?<lead>(?:\s\p{L}{1,4}){1,3}(?=\s)|は|是一?[家个]?)\s?(?<phrase>[\p{L}\p{N}].+)$/u.exec(
      rest,
    )?.groups
    if (predicate) found.push({ phrase: predicate['phrase'] as string, lead: predicate['lead'] as string })
    // Matches `Acme — maker of tools`.
    const dash = /^\s?(?:[–—:-])\s(?<phrase>\p{L}.+)$/u.exec(rest)?.groups?.['phrase']
    if (dash) found.push({ phrase: dash, lead: 'dash' })
  }
  // Matches `We are a farmhouse brewery`, `Wir sind ein Familienbetrieb` and `Jesteśmy producentem …`.
  const first =
    /^(?<lead>(?:\p{L}{2,4}\s(?:\p{L}{3,5}\s)(?:\p{L}{1,4}\s)?)|(?:\p{Lu}\p{Ll}{2,8}\s(?:un[ae]?|uma?|[oa]|ett?|en|eine?n?|een)\s))(?<phrase>\p{L}.+)$/u.exec(
      sentence,
    )?.groups
  if (first) found.push({ phrase: first['phrase'] as string, lead: `first ${first['lead']}` })
  return found
}

/** Removes a preposition and a capitalized word from the end of a lower-case phrase: `winery near Nemea`. */
function withoutUnknownPlace(phrase: string): string {
  const [, kept = '', last = ''] = /^(.+?\s.+?)\s(?:\p{Ll}{1,5}\s){1,2}(\p{Lu}\p{Ll}[^ ]*.*)$/u.exec(phrase) ?? []
  // In German, all nouns are capitalized.
  const isLowerCase = !/\s\p{Lu}/u.test(kept) && kept.split(' ').length > 1
  return last !== '' && isLowerCase ? kept : phrase
}

/** Truncates a phrase at a place, a year, a clause or a full stop, and removes short words from its end. */
function trimPhrase(text: string, places: readonly string[]): string {
  // `Since 1998 …`
  let phrase =
    text
      .replace(/^(?:\p{L}+\s){1,2}(?:1[6-9]|20)\d\d,?\s+(?=\p{L})/u, '')
      .split(/[.!?。](?:\s|$)|[;:|]|,\s|\s[–—-]\s|\s?\(|、|（/u)[0] ?? ''
  const year = /\s(?:\p{L}{1,6}\s)?(?:1[6-9]|20)\d\d(?!\p{N})/u.exec(phrase)
  if (year) phrase = phrase.slice(0, year.index)
  for (const place of places) {
    const stem = fold(place).slice(0, Math.max(4, fold(place).length - 2))
    if (stem.length < 3) continue
    const words = phrase.split(' ')
    const at = words.findIndex((word, index) => index > 0 && fold(word).startsWith(stem))
    if (at > 0) phrase = words.slice(0, at).join(' ')
  }
  phrase = withoutUnknownPlace(phrase.trim())
  const words = phrase.split(' ')
  while (
    words.length > 1 &&
    /^\p{Ll}{1,3}$|^(?:from|near|with|outside|based|since|depuis|desde|sedan|sinds|siden|seit|aus)$/u.test(
      words.at(-1) as string,
    )
  )
    words.pop()
  return words
    .join(' ')
    .replace(/[\s,;:„“"»”-]+$/u, '')
    .replace(/^[\s„“"«”-]+/u, '')
}
