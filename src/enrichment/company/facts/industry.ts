import { foldAccents } from '../../../lib/fold-accents.ts'
import { tidy } from '../../extract/page.ts'
import { squeeze } from '../own-name.ts'
import type { Features } from './decide.ts'
import { grams, lettersOf } from './features.ts'
import { kindPhrase, kindWord } from './kind-words.ts'
import type { SiteText } from './site-text.ts'

/** A phrase that may describe the company's business. */
export interface IndustryCandidate {
  phrase: string
  page: number
  /** The words or punctuation marks beside the phrase; empty at the edges of the passage. */
  before: string
  after: string
  features: Features
}

interface Token {
  text: string
  start: number
  end: number
  /** Whether the token is part of the company's name. */
  isOwn: boolean
}

/** A sentence that may describe the company. `kind` is its position on the site. */
interface Passage {
  text: string
  kind: string
  page: number
  /** Words of the row header or key that labels the text, nearest first. */
  label: string[]
  tokens: Token[]
  /** Position among the passages of the same page and kind: 0, 1, 2, 3 for the next three, or 4. */
  order: number
}

const TITLE_PART = /\s+[|·•–—:«»~-]+\s+|\s*[|｜–—：]\s*|:\s+/u
/** Maximum number of statements per page, on the home page and on other pages. */
const MAX_STATEMENTS = [20, 6] as const
const MAX_SENTENCES = 2
/** Maximum number of labeled texts per page, and of all passages, because every passage is compared with the others. */
const MAX_ROWS = 60
const MAX_PASSAGES = 300
/** Maximum length of the text that identifies a passage. Only its first words are read. */
const MAX_PASSAGE = 2000
const MAX_TOKENS = 26
const MAX_START = 14
const MAX_WORDS = 10
const MAX_LENGTH = 90
/** Words of up to five letters, such as `is a` and `ist ein`, often precede a description. */
const SHORT = 5
/** Number of letters by which words of kinds of businesses are compared. */
const STEM = 6
/** Minimum length of words that are not articles or prepositions. */
const MIN_CONTENT = 4
const ENDING = 3
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * Finds phrases that may describe the company: spans of words in titles, in meta descriptions, and in the first
 * sentences of each page. `places` are the names of the company's locations.
 */
export function industryCandidates(
  site: SiteText,
  names: readonly string[],
  places: readonly string[],
): IndustryCandidate[] {
  const passages = passagesOf(site, names)
  const folded = passages.map(({ text }) => ` ${fold(text)} `)
  const stems = places.map((place) => fold(place).slice(0, Math.max(4, fold(place).length - 2)))
  const isPlace = ({ text }: Token): boolean => stems.some((stem) => stem.length > 2 && fold(text).startsWith(stem))
  const cores = passages.map(({ tokens }) => new Set(tokens.filter(isKindWord).map(stemOf)))
  return passages.flatMap(({ text, kind, page, label, tokens, order }, at) => {
    const kinds = tokens.map(isKindWord)
    const elsewhere = (stem: string): boolean => cores.some((others, place) => place !== at && others.has(stem))
    const leftGrams = memoize((from) => contextGrams('L', tokens.slice(Math.max(0, from - 3), from).toReversed()))
    const rightGrams = memoize((to) => contextGrams('R', tokens.slice(to, to + 2)))
    return spansOf(tokens, kinds).flatMap(([from, to]) => {
      const [first, last] = [tokens[from], tokens[to - 1]] as [Token, Token]
      const span = tokens.slice(from, to)
      const phrase = text.slice(first.start, last.end)
      if (
        phrase.length > MAX_LENGTH ||
        phrase.length < 3 ||
        span.every((token) => token.isOwn || (site.ownWords.has(squeeze(token.text)) && !isKindWord(token)))
      )
        return []
      const key = UNSPACED.test(phrase) ? fold(phrase) : ` ${fold(phrase)} `
      const shared = folded.filter((other) => other.includes(key))
      const sharedWith = (low: number, high: number): number => {
        const [a, z] = [tokens[low], tokens[high - 1]]
        const longer = a && z ? fold(text.slice(a.start, z.end)) : ''
        return longer === '' ? 0 : folded.filter((other) => other.includes(longer)).length
      }
      const next = tokens.slice(to, to + 4)
      const before = tokens.slice(0, from)
      return [
        {
          phrase,
          page,
          before: tokens[from - 1]?.text ?? '',
          after: tokens[to]?.text ?? '',
          features: {
            shapes: [
              `in ${kind}`,
              `page ${page === 0 ? 'home' : 'other'}`,
              `from ${from === 0 ? 'start' : from < 4 ? 'early' : 'later'}`,
              `to ${to === tokens.length ? 'end' : 'word'}`,
              ...(from === 0 && to === tokens.length ? ['whole'] : []),
              `shared ${Math.min(shared.length, 3)}`,
              ...(shared.length > 1 && sharedWith(from, to + 1) === shared.length ? ['always followed'] : []),
              ...(shared.length > 1 && sharedWith(from - 1, to) === shared.length ? ['always preceded'] : []),
              `order ${order}`,
              `ends ${endOf(tokens, to)}`,
              `begins ${beginOf(tokens, from)}`,
              ...(before.some(({ isOwn }) => isOwn) ? ['own name before'] : []),
              ...(span.some(({ isOwn }) => isOwn) ? ['own name inside'] : []),
              ...(span.some(isPlace) ? ['place inside'] : next.some(isPlace) ? ['place after'] : []),
              ...(next[1] && /^\p{Lu}/u.test(next[1].text) ? ['capital soon after'] : []),
              ...(last.text.length <= 3 && /^\p{Ll}/u.test(last.text) ? ['short word last'] : []),
              ...(first.text.length <= 3 && /^\p{Ll}/u.test(first.text) ? ['short word first'] : []),
              ...shapesOf(phrase),
              ...kindShapes(phrase),
              ...(/\d/u.test(text) ? ['digit in the passage'] : []),
              ...kindsAround(tokens, kinds, from, to),
              ...(span.some((token) => isKindWord(token) && elsewhere(stemOf(token))) ? ['kind elsewhere'] : []),
            ],
            words: [
              ...leftGrams(from),
              ...(from === 0 ? grams('K', label) : []),
              ...rightGrams(to),
              ...phraseGrams(phrase),
              `F^${fold(first.text)}$`,
              `Z^${fold(last.text)}$`,
            ],
          },
        },
      ]
    })
  })
}

const isKindWord = ({ text, isOwn }: Token): boolean => !isOwn && kindWord(text) !== 'none'
const stemOf = ({ text }: Token): string => fold(text).slice(0, STEM)

/** Returns features of the words that name kinds of businesses beside a span, which may belong to the phrase. */
function kindsAround(tokens: readonly Token[], kinds: readonly boolean[], from: number, to: number): string[] {
  const beyond = (place: number, step: 1 | -1): string => {
    const next = tokens[place]
    if (next === undefined || !isWord(next)) return 'none'
    if (kinds[place]) return 'next'
    return next.text.length <= SHORT && kinds[place + step] ? 'near' : 'none'
  }
  const passage = kinds.filter(Boolean).length
  const inside = kinds.slice(from, to).filter(Boolean).length
  return [
    `kind after ${beyond(to, 1)}`,
    `kind before ${beyond(from - 1, -1)}`,
    `kinds of the passage ${passage === 0 ? 'none' : inside === passage ? 'all' : inside === 0 ? 'others' : 'some'}`,
    ...edgeShapes(tokens, kinds, from, to),
    `last ${kinds[to - 1] ? 'kind' : 'other'} ends ${endOf(tokens, to)}`,
    `first ${kinds[from] ? 'kind' : 'other'} begins ${beginOf(tokens, from)}`,
  ]
}

const MAX_EDGE = 3

/** Returns features of the words of a span before the first and after the last word that names a kind of business. */
function edgeShapes(tokens: readonly Token[], kinds: readonly boolean[], from: number, to: number): string[] {
  const first = kinds.indexOf(true, from)
  const last = kinds.lastIndexOf(true, to - 1)
  if (first < 0 || first >= to || last < from) return []
  const [lead, tail] = [tokens.slice(from, first), tokens.slice(last + 1, to)]
  const sizeOf = (edge: readonly Token[]): number => Math.min(edge.filter(isWord).length, MAX_EDGE)
  const [next] = tail
  const gap = tokens
    .slice(first, last + 1)
    .filter((token, place) => !kinds[first + place] && isWord(token) && token.text.length >= MIN_CONTENT)
  return [
    `gap ${Math.min(gap.length, MAX_EDGE)}`,
    ...gap.slice(0, 2).map((token) => `gap ends ${token.text.toLowerCase().slice(-ENDING)}`),
    `lead ${sizeOf(lead)}`,
    `tail ${sizeOf(tail)}`,
    ...(lead[0] ? [`lead ${sizeOf(lead)} ${shapeOf(lead[0])}`] : []),
    ...(next
      ? [
          `tail ${sizeOf(tail)} ${shapeOf(next)}`,
          `tail ends ${next.text.toLowerCase().slice(-ENDING)}`,
          `tail next ${next.text.toLowerCase()}`,
        ]
      : []),
  ]
}

/** Returns features of the words of a phrase that name kinds of businesses. */
export function kindShapes(phrase: string): string[] {
  const words = UNSPACED.test(phrase)
    ? [...segmenter.segment(phrase)].map(({ segment }) => segment).filter((word) => /\p{L}/u.test(word))
    : lettersOf(phrase)
  const found = words.map(kindWord)
  const content = words.filter((word, place) => word.length >= MIN_CONTENT || found[place] !== 'none')
  const count = found.filter((one) => one !== 'none').length
  const share = content.length === 0 ? 0 : count / content.length
  const how = kindPhrase(phrase)
  const size = Math.min(words.length, 6)
  return [
    `kind phrase ${how}`,
    `kind phrase ${how} of ${size} words`,
    `kind words ${Math.min(count, 3)}`,
    `kind words ${Math.min(count, 3)} of ${size}`,
    `kind share ${share === 0 ? 'none' : share === 1 ? 'all' : share >= 0.5 ? 'most' : 'some'}`,
    `kind first ${found[0]}`,
    `kind last ${found.at(-1)}`,
  ]
}

/** Returns what follows a span: the end of the passage, punctuation, or the shapes of the next two words. */
function endOf(tokens: readonly Token[], to: number): string {
  const [next, after] = [tokens[to], tokens[to + 1]]
  return next === undefined ? '$' : isWord(next) ? `${shapeOf(next)} ${after ? shapeOf(after) : '$'}` : next.text
}

/** Returns what precedes a span. */
function beginOf(tokens: readonly Token[], from: number): string {
  const [previous, before] = [tokens[from - 1], tokens[from - 2]]
  return previous === undefined
    ? '^'
    : isWord(previous)
      ? `${before ? shapeOf(before) : '^'} ${shapeOf(previous)}`
      : previous.text
}

const shapeOf = ({ text, isOwn }: Token): string =>
  isOwn
    ? 'own'
    : /^\p{N}/u.test(text)
      ? 'number'
      : !/\p{L}/u.test(text)
        ? text
        : `${text.length <= 3 ? 'short' : text.length <= SHORT ? 'middle' : 'long'} ${/^\p{Lu}/u.test(text) ? 'upper' : 'lower'}`

/** Many spans of a passage start or end at the same token. */
function memoize(gramsAt: (place: number) => string[]): (place: number) => string[] {
  const known = new Map<number, string[]>()
  return (place) => {
    const found = known.get(place) ?? gramsAt(place)
    known.set(place, found)
    return found
  }
}

function passagesOf(site: SiteText, names: readonly string[]): Passage[] {
  const found = new Map<string, Passage>()
  const orders = new Map<string, number>()
  const add = (text: string, kind: string, page: number, label = ''): void => {
    const key = fold(text.slice(0, MAX_PASSAGE))
    if (text.length < 3 || found.size >= MAX_PASSAGES || found.has(key)) return
    const tokens = tokensOf(text, names)
    const place = orders.get(`${kind} ${page}`) ?? 0
    orders.set(`${kind} ${page}`, place + 1)
    const order = place < 3 ? place : place < 6 ? 3 : 4
    if (tokens.length > 0) found.set(key, { text, kind, page, label: lettersOf(label).slice(0, 4), tokens, order })
  }
  const parts = (site.titles[0] ?? '').split(TITLE_PART).map(tidy).filter(Boolean)
  for (const part of parts) add(part, parts.length > 1 ? 'title' : 'whole title', 0)
  const [home] = site.pages
  for (const name of ['description', 'og:description', 'og:title'])
    for (const sentence of sentencesOf(
      home?.$(`meta[name="${name}" i], meta[property="${name}" i]`).attr('content') ?? '',
    ))
      add(sentence, 'meta', 0)
  const counts: number[] = []
  const rows: number[] = []
  for (const { text, label, page, area } of site.statements) {
    const count = (counts[page] ?? 0) + (area === 'header' ? 0 : 1)
    counts[page] = count
    const limit = MAX_STATEMENTS[page === 0 ? 0 : 1]
    if (label && text.length <= MAX_LENGTH) {
      rows[page] = (rows[page] ?? 0) + 1
      if (rows[page] <= MAX_ROWS) add(text, 'row', page, label)
    } else if (count <= limit && text.length <= 600 && (page === 0 || area !== 'header'))
      for (const sentence of sentencesOf(text).slice(0, MAX_SENTENCES)) add(sentence, area, page)
  }
  return [...found.values()]
}

/** Splits a text into words and punctuation marks. Scripts without spaces are split into dictionary words. */
function tokensOf(text: string, names: readonly string[]): Token[] {
  const lower = text.toLowerCase()
  const own = names.flatMap((name) => {
    const at = name.length < 2 ? -1 : lower.indexOf(name.toLowerCase())
    return at < 0 ? [] : [[at, at + name.length] as const]
  })
  const words = [
    ...text.matchAll(/[\p{L}\p{M}\p{N}](?:(?:[\p{L}\p{M}\p{N}’'.·/-]|\u200C|\u200D)*[\p{L}\p{M}\p{N}])?|[^\s]/gu),
  ]
  return words
    .flatMap(({ 0: word, index }) =>
      UNSPACED.test(word)
        ? [...segmenter.segment(word)].map((part) => ({ text: part.segment, start: index + part.index }))
        : [{ text: word, start: index }],
    )
    .slice(0, MAX_TOKENS)
    .map(({ text: word, start }) => ({
      text: word,
      start,
      end: start + word.length,
      isOwn: own.some(([from, to]) => start >= from && start < to),
    }))
}

const isWord = ({ text }: Token): boolean => /[\p{L}\p{N}]/u.test(text)

/** Returns the spans of words between which no sentence or clause ends. */
function spansOf(tokens: readonly Token[], kinds: readonly boolean[]): [number, number][] {
  const spans: [number, number][] = []
  for (let from = 0; from < Math.min(tokens.length, MAX_START); from++) {
    const [token, previous] = [tokens[from] as Token, tokens[from - 1]]
    const isStart =
      from < 5 ||
      !previous ||
      !isWord(previous) ||
      previous.isOwn ||
      previous.text.length <= SHORT ||
      kinds[from] ||
      UNSPACED.test(token.text)
    if (!isStart || !isWord(token)) continue
    for (let to = from + 1; to <= Math.min(tokens.length, from + (UNSPACED.test(token.text) ? 14 : MAX_WORDS)); to++) {
      const last = tokens[to - 1] as Token
      if (/[.!?;:|()。；：！？（）«»„“”"–—।۔።։፣،]/u.test(last.text) && !isWord(last)) break
      if (isWord(last)) spans.push([from, to])
    }
  }
  return spans
}

/** Returns the n-grams of the tokens beside a span, nearest first. The company's name is replaced by a placeholder. */
function contextGrams(side: string, tokens: readonly Token[]): string[] {
  return tokens.length === 0
    ? [`${side}^`]
    : grams(
        side,
        tokens.map((token) => (token.isOwn ? 'NAME' : token.text)),
      )
}

export const phraseGrams = (phrase: string): string[] => grams('P', phrase.match(/[\p{L}\p{M}]+/gu)?.slice(0, 8) ?? [])

export const shapesOf = (phrase: string): string[] => [
  `words ${Math.min(phrase.split(' ').length, 9)}`,
  ...(/[.!?,:;]/u.test(phrase) ? ['punctuation'] : []),
  ...(/\d/u.test(phrase) ? ['digit'] : []),
  `case ${/^\p{Lu}/u.test(phrase) ? 'upper' : /^\p{Ll}/u.test(phrase) ? 'lower' : 'none'}`,
]

const fold = (text: string): string =>
  foldAccents(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .trim()

const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?。।۔።։])\s*(?=\p{Lu}|[^\p{ASCII}])/u)
    .map((one) => one.trim())
    .filter(Boolean)
