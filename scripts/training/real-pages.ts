/**
 * Labeled pages of real sites, for training the models of people. The labels in the repository are hashed, so the
 * names and titles are found on the pages: each run of words on a page is hashed and compared with the labels.
 */
import { decodeHTML } from 'entities'
import { decodeText } from '../../src/enrichment/fetching/decode-text.ts'
import type { RealPage, RealPageAddress } from '../../test/eval/gold-real-pages.ts'
import { hashOfName, hashOfPair, readRealPageAddresses, readRealPages } from '../../test/eval/gold-real-pages.ts'
import type { LabeledPage } from './pages.ts'

const NAME_WORDS = 7
const TITLE_WORDS = 16
/** Number of words before and after a name among which its title is searched. */
const NEAR_WORDS = 120
const WEIGHT = 8

type Labels = Pick<RealPageAddress, 'people' | 'untitled'>

/**
 * Decides the label of a candidate: `title` if the page states the title for this person, `name` if the name is a
 * person of the page but the title is not theirs, otherwise `none`.
 */
export function labelOf({ people, untitled }: Labels, name: string, title: string | null): 'title' | 'name' | 'none' {
  const hash = hashOfName(name)
  const person = people.find((one) => one.name === hash)
  if (person?.pairs.includes(hashOfPair(name, title))) return title === null ? 'name' : 'title'
  return person || untitled.includes(hash) ? 'name' : 'none'
}

/** Returns the labeled people who are found in the page's text, and the number of those who are not. */
export function findLabeledPeople(labels: Labels, html: string): { people: LabeledPage['people']; lost: number } {
  const words = wordsOf(html)
  const wanted = new Set([...labels.people.map(({ name }) => name), ...labels.untitled])
  const found = new Map<string, { name: string; places: number[] }>()
  for (const { text, start } of runs(words, 0, words.length, NAME_WORDS)) {
    const hash = hashOfName(text)
    if (!wanted.has(hash)) continue
    const one = found.get(hash) ?? { name: text, places: [] }
    one.places.push(start)
    found.set(hash, one)
  }
  const people: { name: string; title: string | null }[] = []
  for (const { name: hash, pairs } of labels.people) {
    const one = found.get(hash)
    const title = one && findTitle(words, one, pairs)
    if (one && title !== undefined) people.push({ name: one.name, title })
  }
  for (const hash of labels.untitled) {
    const one = found.get(hash)
    if (one) people.push({ name: one.name, title: null })
  }
  return { people, lost: wanted.size - people.length }
}

/** Returns the first of the titles that is near the name; null if the page may be read as stating no title. */
function findTitle(
  words: readonly string[],
  { name, places }: { name: string; places: readonly number[] },
  pairs: readonly string[],
): string | null | undefined {
  const titles = new Map<string, string>()
  for (const place of places)
    for (const { text } of runs(words, place - NEAR_WORDS, place + NEAR_WORDS, TITLE_WORDS)) {
      const pair = hashOfPair(name, text)
      if (pairs.includes(pair) && !titles.has(pair)) titles.set(pair, text)
    }
  const first = pairs.find((pair) => titles.has(pair))
  if (first !== undefined) return titles.get(first)
  return pairs.includes(hashOfPair(name, null)) ? null : undefined
}

/** Returns all runs of consecutive words up to a length, first without the punctuation around them. */
function* runs(
  words: readonly string[],
  from: number,
  to: number,
  length: number,
): Generator<{ text: string; start: number }> {
  for (let start = Math.max(0, from); start < Math.min(to, words.length); start++)
    for (let end = start + 1; end <= Math.min(start + length, words.length); end++) {
      const text = words.slice(start, end).join(' ')
      const bare = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.®]+$/gu, '')
      if (bare !== '' && bare !== text) yield { text: bare, start }
      yield { text, start }
    }
}

const wordsOf = (html: string): string[] =>
  decodeHTML(
    html.replace(/<!--.*?-->|<(script|style|noscript|svg|template)\b.*?<\/\1>/gisu, ' ').replace(/<[^>]*>/gu, ' '),
  )
    .normalize('NFC')
    .split(/[\s\ufffc]+/u)
    .filter(Boolean)

/**
 * Reads the `learn` half of the real pages from clones of their repositories in a folder. Leaves out pages with
 * unscored people, and pages on which a person is not found, because their candidates would be labeled incorrectly.
 */
export function realPages(
  folder: string,
  addresses: readonly RealPageAddress[] = readRealPageAddresses(),
): { pages: LabeledPage[]; problems: string[] } {
  const learn = addresses.filter(({ half, optional }) => half === 'learn' && optional.length === 0)
  const { pages, problems } = readRealPages(folder, learn)
  const labeled = pages.map(labeledPage)
  return {
    pages: labeled.flatMap(({ page, lost }) => (lost === 0 ? page : [])),
    problems: [
      ...problems,
      ...labeled.filter(({ lost }) => lost > 0).map(({ page, lost }) => `${page.url}: ${lost} people are not found`),
    ],
  }
}

function labeledPage(page: RealPage): { page: LabeledPage; lost: number } {
  const html = decodeText({ body: page.content, charset: '' })
  const { people, lost } = findLabeledPeople(page, html)
  return { page: { group: page.repository, url: page.url, html, people, weight: WEIGHT }, lost }
}
