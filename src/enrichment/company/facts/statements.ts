import type { AnyNode, Element } from 'domhandler'
import type { Page } from '../../extract/page.ts'
import { tidy } from '../../extract/page.ts'
import { readScriptData } from '../../extract/script-data.ts'
import { numbersIn } from './numbers.ts'

/** The part of a page that contains a statement. */
export type Area = 'header' | 'main' | 'footer' | 'script'

/** A line of a page's visible text, or a text in the data embedded in its scripts. */
export interface Statement {
  text: string
  /** The term, row header or key that labels the text; empty if there is none. */
  label: string
  area: Area
  /** Index of the page among the fetched pages. */
  page: number
  /** Two-letter language code of the page; empty if the page declares no language. */
  language: string
  /**
   * Sequence number of the paragraph, cell or list item that contains the text. Lines separated by line breaks have the
   * same number.
   */
  block: number
}

const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data dfn em font i ins kbd label mark q s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)
const SILENT = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head', 'select', 'option', 'form'])
const MAX_SCRIPT_NODES = 20_000
const MAX_STATEMENTS = 5000
/** Maximum number of siblings searched for the label of a cell or definition. */
const MAX_SIBLINGS = 40
const MAX_DEPTH = 40

/** Maximum number of characters in the statements of a page. Terms and conditions have about 100,000. */
const MAX_PAGE_TEXT = 300_000

/**
 * Reads a page's statements in document order, followed by the statements in its scripts, up to a total of `maxLength`
 * characters.
 */
export function statementsOf(page: Page, index: number, maxLength: number = MAX_PAGE_TEXT): Statement[] {
  const language = (page.$('html').attr('lang') ?? page.$('html').attr('xml:lang') ?? '').slice(0, 2).toLowerCase()
  const found: Statement[] = []
  const limit = Math.min(maxLength, MAX_PAGE_TEXT)
  let length = 0
  let block = 0
  let line: string[] = []
  const place = { area: 'main' as Area, label: '' }
  const flush = (): void => {
    const text = tidy(line.join(''))
    line = []
    if (text === '' || found.length >= MAX_STATEMENTS || length >= limit) return
    length += text.length
    const pair = place.label === '' ? splitPair(text, language) : undefined
    found.push({
      text: pair?.text ?? text,
      label: pair?.label ?? place.label,
      area: place.area,
      page: index,
      language,
      block,
    })
  }
  const walk = (node: AnyNode): void => {
    if (node.type === 'text') line.push(node.data)
    if (!('children' in node)) return
    const element = node as Element
    if (SILENT.has(element.name)) return
    if (element.name === 'br') flush()
    if (INLINE.has(element.name) || element.name === 'br') {
      // Adjacent elements without white space between them are usually separated visually.
      if (node.prev?.type === 'tag' && (node.prev as Element).name === element.name) flush()
      element.children.forEach(walk)
      return
    }
    flush()
    block++
    const { area, label } = place
    place.area = areaOf(element) ?? area
    const term = labelOfCell(page, element)
    place.label = term ?? (isBlockOfPair(element) ? label : '')
    element.children.forEach(walk)
    flush()
    block++
    Object.assign(place, { area, label })
  }
  page.$('body').toArray().forEach(walk)
  return [...found, ...scriptStatements(page, index, language, block, limit - length)]
}

/** Blocks inside a cell keep the cell's label. */
const isBlockOfPair = ({ name }: Element): boolean => ['p', 'div', 'ul', 'ol', 'li', 'font', 'center'].includes(name)

function areaOf({ name, attribs }: Element): Area | undefined {
  // The classes on `<body>` describe the layout of the whole page.
  if (name === 'body') return undefined
  const called = `${attribs['class'] ?? ''} ${attribs['id'] ?? ''} ${attribs['data-elementor-type'] ?? ''}`
  if (name === 'footer' || attribs['role'] === 'contentinfo' || /foot|fuss|pie-|stopka|rodape|copyright/i.test(called))
    return 'footer'
  if (
    name === 'header' ||
    name === 'nav' ||
    attribs['role'] === 'banner' ||
    /\bhead(er)?\b|\bnav|topbar|\bmenu/i.test(called)
  )
    return 'header'
  return undefined
}

/** Returns the term that labels a `dd`, or the first cell in a row of two cells. */
function labelOfCell({ $ }: Page, element: Element): string | undefined {
  if (element.name === 'dd') {
    const term = besides(element, 'prev').find(({ name }) => name === 'dt')
    return term ? tidy($(term).text()).slice(0, 60) : ''
  }
  if (element.name !== 'td') return undefined
  const [before, after] = [besides(element, 'prev').filter(isCell), besides(element, 'next').filter(isCell)]
  const [first] = before
  if (!first || before.length > 1 || after.length > 0) return undefined
  const label = tidy($(first).text())
  return label.length <= 60 ? label : undefined
}

const isCell = ({ name }: Element): boolean => name === 'td' || name === 'th'

/** Returns the elements among the nearest siblings on one side, nearest first. */
function besides(element: Element, side: 'prev' | 'next'): Element[] {
  const found: Element[] = []
  let node = element[side]
  for (let seen = 0; node && seen < MAX_SIBLINGS; seen++) {
    if (node.type === 'tag') found.push(node as Element)
    node = node[side]
  }
  return found
}

/** Splits `Founded: 1998`. The label is short and has no numbers. */
function splitPair(text: string, language: string): { label: string; text: string } | undefined {
  const [, label = '', value = ''] = /^([^:：\d.!?@|]{2,40})[:：]\s*(\S.*)$/u.exec(text) ?? []
  return value && label.split(' ').length <= 5 && numbersIn(label, language).length === 0
    ? { label: label.trim(), text: value }
    : undefined
}

/** Reads the strings and numbers in data embedded in scripts. The values in one record form a block. */
function scriptStatements(
  page: Page,
  index: number,
  language: string,
  firstBlock: number,
  maxLength: number,
): Statement[] {
  const found: Statement[] = []
  let block = firstBlock
  let nodes = 0
  let length = 0
  const walk = (value: unknown, key: string, own: number, depth: number): void => {
    if (++nodes > MAX_SCRIPT_NODES || found.length >= MAX_STATEMENTS || depth > MAX_DEPTH || length >= maxLength) return
    if (typeof value === 'string' || typeof value === 'number') {
      const text = tidy(String(value).replace(/<[^>]*>/g, ' '))
      if (text && text.length < 2000 && !/^(?:https?:|\/|#|data:)/.test(text)) {
        length += text.length
        found.push({ text, label: wordsOfKey(key), area: 'script', page: index, language, block: own })
      }
      return
    }
    if (typeof value !== 'object' || value === null) return
    const record = Array.isArray(value) ? own : ++block
    const entries = Object.entries(value)
    const pair = Array.isArray(value) ? undefined : pairOf(entries)
    if (pair) {
      found.push({ ...pair, area: 'script', page: index, language, block: record })
      return
    }
    for (const [name, child] of entries) walk(child, Array.isArray(value) ? key : name, record, depth + 1)
  }
  for (const data of readScriptData(page)) walk(data, '', ++block, 0)
  return found
}

/** Reads a record that consists of a number and its label, such as `{label: 'employees', value: '23'}`. */
function pairOf(entries: [string, unknown][]): { label: string; text: string } | undefined {
  const texts = entries.filter(([, value]) => typeof value === 'string' || typeof value === 'number')
  if (texts.length !== 2 || entries.length > 3) return undefined
  const [one, other] = texts.map(([, value]) => String(value)) as [string, string]
  const isNumber = (text: string): boolean => /^[~+≈<>]?\s?\d[\d., ]*\+?$/.test(text)
  if (isNumber(one) && !isNumber(other)) return { label: tidy(other), text: one }
  return isNumber(other) && !isNumber(one) ? { label: tidy(one), text: other } : undefined
}

const wordsOfKey = (key: string): string =>
  key
    .replace(/[_-]+/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .trim()
