import type { Cheerio, CheerioAPI } from 'cheerio'
import { load } from 'cheerio'
import type { AnyNode, Element } from 'domhandler'
import { withoutControls } from '../../lib/control-characters.ts'
import { limitMarks } from '../../lib/fold-accents.ts'
import { flattenDeep } from './flatten-deep.ts'

/** A fetched and parsed page. Scripts are never run. */
export interface Page {
  /** The page's URL after redirects. */
  url: string
  /** The base for relative URLs: `<base href>`, or the page's URL if there is none. */
  base: string
  $: CheerioAPI
}

/** Parses HTML, even if it is invalid. Elements nested more deeply than browsers allow are flattened. */
export function parsePage(html: string, url: string): Page {
  const $ = load(flattenDeep(html))
  const href = $('base[href]').first().attr('href')
  return { url, base: (href && absoluteUrl(href, url)) || url, $ }
}

/**
 * Returns the absolute http or https URL of a link, without its fragment; undefined for other schemes and invalid URLs.
 */
export function absoluteUrl(href: string, base: string): string | undefined {
  const text = href.trim()
  if (!URL.canParse(text, base)) return undefined
  const url = new URL(text, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  url.hash = ''
  return url.href
}

const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data dfn em font i ins kbd mark q s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)
const SILENT = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head'])

/**
 * Returns the visible text on one line. Blocks and line breaks separate words, but inline elements do not. White space
 * is collapsed.
 */
export function textOf(nodes: Cheerio<AnyNode> | AnyNode): string {
  return tidy(rawText(nodes))
}

/** Returns the visible lines. Blocks and line breaks end a line, and empty lines are omitted. */
export function linesOf(nodes: Cheerio<AnyNode> | AnyNode): string[] {
  return rawText(nodes).split(EDGE).map(tidy).filter(Boolean)
}

/** Marks a block boundary. The character is white space, so it is collapsed with adjacent white space. */
const EDGE = '\u2028'

function rawText(nodes: Cheerio<AnyNode> | AnyNode): string {
  const parts: string[] = []
  // Uses an explicit stack, because recursion would overflow the call stack on pages with ten thousand nested elements.
  const stack: (AnyNode | string)[] = ('cheerio' in nodes ? nodes.toArray() : [nodes]).toReversed()
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next === 'string') parts.push(next)
    else if (next.type === 'text') parts.push(next.data.replaceAll(EDGE, ' '))
    else if ('children' in next && !(next.type !== 'root' && SILENT.has((next as Element).name))) {
      const edge = next.type === 'tag' && !INLINE.has((next as Element).name)
      if (edge) stack.push(EDGE)
      for (let child = next.children.length - 1; child >= 0; child--) stack.push(next.children[child] as AnyNode)
      if (edge) stack.push(EDGE)
    }
  }
  return parts.join('')
}

/** Collapses white space and removes invisible characters and excess combining marks. */
export function tidy(text: string): string {
  return limitMarks(withoutControls(text)).replace(/\s+/g, ' ').trim()
}
