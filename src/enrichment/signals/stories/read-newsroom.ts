import type { Cheerio } from 'cheerio'
import type { AnyNode, Element } from 'domhandler'
import type { Page } from '../../extract/page.ts'
import { absoluteUrl, textOf } from '../../extract/page.ts'
import type { Story } from './story.ts'
import { tidyLead } from './story.ts'
import type { DateOptions } from './story-date.ts'
import { isDateLine, readDay } from './story-date.ts'

/** Maximum number of ancestors of a date that are searched for the story's headline. */
const CLIMB = 6
const HEADLINE = { shortest: 12, longest: 240 }
const MAX_STORIES = 200

/**
 * Reads the stories on a newsroom page, in page order. A story is a date near a headline with a link, regardless of the
 * elements used. The date is required, because otherwise any link could be a story. `today` (YYYY-MM-DD) resolves dates
 * such as `3 days ago`.
 */
export function readNewsroom(page: Page, today?: string): Story[] {
  const { $ } = page
  const options = { language: $('html').attr('lang'), today }
  const dates = $('time, span, p, div, small, td, dt, li, em, strong, h4, h5, h6, abbr, label')
    .toArray()
    .filter((element) => isDateElement($(element), element, options))
  const known = new Set<AnyNode>(dates)
  const stories = new Map<string, Story>()
  for (const element of dates) {
    if (stories.size >= MAX_STORIES) break
    const date = dateOf($(element), options)
    const found = date && (storyAround(page, element, known, date) ?? storyBeside(page, element, known, date))
    if (found && !stories.has(found.url)) stories.set(found.url, found)
  }
  return [...stories.values()]
}

function isDateElement(node: Cheerio<AnyNode>, element: Element, options: DateOptions): boolean {
  if (element.name === 'time') return dateOf(node, options) !== null
  // Only the innermost element that contains the date counts.
  return node.children().length === 0 && isDateLine(textOf(node), options)
}

function dateOf(node: Cheerio<AnyNode>, options: DateOptions): string | null {
  return readDay(node.attr('datetime') ?? '') ?? readDay(textOf(node), options)
}

/** Finds the story in the nearest ancestor that contains a headline and no other date. */
function storyAround(page: Page, element: Element, dates: Set<AnyNode>, date: string): Story | undefined {
  let box = page.$(element).parent()
  for (let step = 0; step < CLIMB && box.length > 0; step += 1, box = box.parent()) {
    const inside = box.find('*').toArray()
    if (inside.filter((node) => dates.has(node)).length > 1 || box.is('body, main')) return undefined
    const story = storyIn(page, box, date)
    if (story) return story
  }
  return undefined
}

/** Finds the story in a flat list, where the date and the headline are siblings in any order. */
function storyBeside(page: Page, element: Element, dates: Set<AnyNode>, date: string): Story | undefined {
  const { $ } = page
  for (const direction of ['next', 'prev'] as const) {
    let sibling = $(element)[direction]()
    for (let step = 0; step < 2 && sibling.length > 0; step += 1, sibling = sibling[direction]()) {
      if (
        sibling.toArray().some((node) => dates.has(node)) ||
        sibling
          .find('*')
          .toArray()
          .some((node) => dates.has(node))
      )
        break
      const story = storyIn(page, sibling, date)
      if (story) return story
    }
  }
  return undefined
}

function storyIn(page: Page, box: Cheerio<AnyNode>, date: string): Story | undefined {
  const { $ } = page
  const links = box.is('a[href]') ? box : box.find('a[href]')
  const around = box.closest('a[href]')
  const heading = box.is('h1, h2, h3, h4, h5, h6') ? box : box.find('h1, h2, h3, h4, h5, h6').first()
  const longest = links
    .toArray()
    .map((node) => ({ node, text: textOf($(node)) }))
    .toSorted((a, b) => b.text.length - a.text.length)[0]
  const headed = textOf(heading)
  const headline = isHeadline(headed) ? headed : (longest?.text ?? '')
  if (!isHeadline(headline)) return undefined
  const inHeading = heading.find('a[href]').first()
  const link = [inHeading, heading.closest('a[href]'), around, longest ? $(longest.node) : undefined].find(
    (node) => node && node.length > 0,
  )
  const url = absoluteUrl(link?.attr('href') ?? '', page.base)
  if (!url || url === page.url) return undefined
  const paragraph = box
    .find('p')
    .toArray()
    .map((node) => textOf($(node)))
    .find((text) => text.length >= 40 && text !== headline && !isDateLine(text))
  return { url, headline, lead: tidyLead(paragraph, headline), date }
}

const isHeadline = (text: string): boolean =>
  text.length >= HEADLINE.shortest &&
  text.length <= HEADLINE.longest &&
  /\s/u.test(text) &&
  !isDateLine(text) &&
  !/^(?:read|learn|see|view|show|load) (?:more|all|the)\b/iu.test(text)
