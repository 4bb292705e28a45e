import type { Element } from 'domhandler'
import type { Probabilities } from '../../classifier/classifier.ts'
import type { Page } from '../../extract/page.ts'
import type { SectionKind } from '../models/classify-section.ts'
import { classifySection } from '../models/classify-section.ts'
import type { NameSpan } from './name-span.ts'
import type { Line } from './page-lines.ts'
import { titleScore } from './title-span.ts'

type Section = Probabilities<SectionKind>
const NEUTRAL: Section = { own: 0, others: 0, neutral: 1 }

/** The headings above each line of a page, and the sections indicated by its path, title and top heading. */
export interface Surroundings {
  /** Headings above each line, innermost first. */
  above: readonly (readonly Line[])[]
  /** Section indicated by the URL's path. */
  path: Section
  title: Section
  topHeading: Section
  isHome: boolean
  /** The company's possible names, without spaces and marks: the host and the parts of the page's title. */
  companies: readonly string[]
  /** The first label of the host, without `www` or hyphens. */
  host: string
}

const LABELS = new Set(['summary', 'caption', 'legend', 'th', 'dt'])
const LABEL_LEVEL = 7
/** Minimum score of a name. A heading with a name is a person's heading, not a section's. */
const MIN_NAME = 0.4

/** Returns the headings above each line. Names and titles in heading elements do not start a section. */
export function surroundingsOf(
  { url, $ }: Page,
  lines: readonly Line[],
  spansByRow: ReadonlyMap<number, readonly NameSpan[]>,
): Surroundings {
  let open: { level: number; line: Line }[] = []
  const above = lines.map((line, row) => {
    const headings = open.map(({ line }) => line)
    const level = levelOf(line)
    if (
      level > 0 &&
      !(spansByRow.get(row) ?? []).some(({ score, form }) => score > MIN_NAME && form !== 'prose') &&
      (line.heading > 0 || titleScore(line.text) < 0.6)
    )
      open = [{ level, line }, ...open.filter((one) => one.level < level)]
    return headings
  })
  const { pathname, hostname } = new URL(url)
  const host =
    hostname
      .replace(/^www\./u, '')
      .split('.')[0]
      ?.replaceAll('-', '') ?? ''
  const siteName = $('meta[property="og:site_name"]').attr('content') ?? ''
  const homeLinks = $('a[href="/"], a[href="./"], a[rel="home"]')
    .slice(0, 3)
    .toArray()
    .map((el) => $(el).text())
  const top = lines.find(({ heading }) => heading === 1)
  return {
    above,
    path: classifySection(wordsOf(pathname)),
    title: classifySection(
      $('title')
        .first()
        .text()
        .split(/\s[-–—|·]\s|｜/u)[0]
        ?.trim()
        .slice(0, 60) ?? '',
    ),
    topHeading: top ? classifySection(top.text.slice(0, 60)) : NEUTRAL,
    host,
    companies: [
      ...new Set(
        [
          host,
          siteName,
          ...homeLinks,
          $('title')
            .first()
            .text()
            .split(/\s[-–—|·]\s|｜/u)
            .at(-1) ?? '',
        ].map(squash),
      ),
    ].filter((name) => /\p{Lo}{3}|.{5}/u.test(name) && name.length < 40),
    isHome: /^\/(?:index\.\w+)?$/u.test(pathname),
  }
}

/** Returns the words of a path, without its extension. */
export const wordsOf = (pathname: string): string => {
  try {
    return decodeURIComponent(pathname)
      .replace(/\.\w{2,5}$/u, '')
      .replace(/[-_/.]+/gu, ' ')
      .trim()
  } catch {
    return ''
  }
}

/** Returns the maximum of the words' probabilities, because an unknown word can mask the known word next to it. */
export function strongestWords(text: string): { own: number; others: number } {
  const sections = text
    .toLowerCase()
    .split(/[\s,:;&/()]+/u)
    .filter((word) => /\p{L}{3}|\p{Lo}{2}/u.test(word))
    .slice(0, 10)
    .map((word) => classifySection(word))
  return {
    own: Math.max(0, ...sections.map(({ own }) => own)),
    others: Math.max(0, ...sections.map(({ others }) => others)),
  }
}

/**
 * Returns the level of a heading, or of a short line that serves as a heading: bold text, a table heading, a summary.
 */
function levelOf({ heading, el, segments, text, alt }: Line): number {
  if (heading > 0) return heading
  if (alt || text.length > 60) return 0
  if (LABELS.has(el.name)) return LABEL_LEVEL
  if (segments.every((segment) => hasAncestor(segment.el, (node) => /^(?:b|strong|em|i)$/u.test(node.name), 3)))
    return LABEL_LEVEL
  return /[:：]$/u.test(text) ? LABEL_LEVEL : 0
}

export function hasAncestor(el: Element, matches: (el: Element) => boolean, depth: number): boolean {
  for (let node: Element | null = el, up = 0; node && up < depth; node = node.parent as Element | null, up++)
    if (node.type === 'tag' && matches(node)) return true
  return false
}

/** Returns the section kind indicated by classes and item types, from the element up to its seventh ancestor. */
export function classesAbove(el: Element): { own: number; others: number } {
  let [own, others] = [0, 0]
  for (let node: Element | null = el, up = 0; node && up < 7; node = node.parent as Element | null, up++) {
    if (node.name === 'body' || !node.attribs) break
    const names = `${node.attribs['class'] ?? ''} ${node.attribs['id'] ?? ''} ${/\w+$/.exec(node.attribs['itemtype'] ?? '')?.[0] ?? ''} ${node.attribs['itemprop'] ?? ''}`
    for (const name of names.split(/\s+/u).slice(0, 8)) {
      const words = name
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .split(/[-_ ]+/)
        .filter((word) => /^\p{L}{4,}$/u.test(word))
      for (const word of words.slice(0, 5)) {
        const section = classifySection(word.toLowerCase())
        own = Math.max(own, section.own)
        others = Math.max(others, section.others)
      }
    }
  }
  return { own, others }
}

/** Returns the section kind indicated by a table's column headings; neutral if there are none. */
export function columnsAround({ el }: Line): { own: number; others: number } {
  if (el.name !== 'td') return { own: 0, others: 0 }
  const table = ancestor(el, 'table')
  const first = table && firstRow(table)
  if (!first || first === el.parent) return { own: 0, others: 0 }
  let [own, others] = [0, 0]
  for (const cell of first.children.slice(0, 30)) {
    if (cell.type !== 'tag') continue
    const text = cellText(cell)
    if (text === '' || text.length > 40) continue
    const section = classifySection(text)
    own = Math.max(own, section.own)
    others = Math.max(others, section.others)
  }
  return { own, others }
}

/** Maximum number of children of one element that are searched. */
const MAX_CHILDREN = 40

const ancestor = (el: Element, name: string): Element | null => {
  for (let node: Element | null = el, up = 0; node && up < 8; node = node.parent as Element | null, up++)
    if (node.name === name) return node
  return null
}

function firstRow(table: Element): Element | null {
  const stack = table.children.slice(0, MAX_CHILDREN).toReversed()
  for (let node = stack.pop(), seen = 0; node && seen < 40; node = stack.pop(), seen++) {
    if (node.type !== 'tag') continue
    if (node.name === 'tr') return node
    stack.push(...node.children.slice(0, MAX_CHILDREN).toReversed())
  }
  return null
}

function cellText(cell: Element): string {
  let text = ''
  const stack = cell.children.slice(0, MAX_CHILDREN).toReversed()
  for (let node = stack.pop(), seen = 0; node && seen < 30; node = stack.pop(), seen++) {
    if (node.type === 'text') text += node.data
    else if (node.type === 'tag') stack.push(...node.children.slice(0, MAX_CHILDREN).toReversed())
  }
  return text.replace(/\s+/gu, ' ').trim()
}

/** Returns the letters and digits of a text in lower case, without accents. */
export const squash = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\d]/gu, '')
