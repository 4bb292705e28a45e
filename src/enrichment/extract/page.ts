import type { Cheerio, CheerioAPI } from 'cheerio'
import { load } from 'cheerio'
import type { AnyNode, Element } from 'domhandler'
import { flattenDeep } from './flatten-deep.ts'

/** A fetched page, parsed. Scripts are never run. */
export interface Page {
  /** Where it was finally found, after redirects. */
  url: string
  /** What relative addresses on it are relative to: `<base href>`, else its own address. */
  base: string
  $: CheerioAPI
}

/** Parses a page's HTML, however broken it is. Nesting deeper than any browser's is made flat. */
export function parsePage(html: string, url: string): Page {
  const $ = load(flattenDeep(html))
  const href = $('base[href]').first().attr('href')
  return { url, base: (href && absoluteUrl(href, url)) || url, $ }
}

/** The absolute http or https address of a link, without its fragment; undefined when it is none. */
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

/** The text as a reader sees it: blocks and line breaks part words, inline elements do not, runs of white space are one. */
export function textOf(nodes: Cheerio<AnyNode> | AnyNode): string {
  return tidy(rawText(nodes))
}

/** The lines as a reader sees them: one for each block and each side of a line break, none empty. */
export function linesOf(nodes: Cheerio<AnyNode> | AnyNode): string[] {
  return rawText(nodes).split(EDGE).map(tidy).filter(Boolean)
}

/** Marks where a block begins or ends. White space to all who read the text. */
const EDGE = '\u2028'

function rawText(nodes: Cheerio<AnyNode> | AnyNode): string {
  const parts: string[] = []
  // An explicit stack: pages nested ten thousand deep exist, and must not end the process.
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

/** One line, without invisible characters. */
export function tidy(text: string): string {
  return text
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
