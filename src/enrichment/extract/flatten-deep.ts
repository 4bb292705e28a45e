/** The maximum nesting depth in Blink and WebKit. */
export const MAX_DEPTH = 512
/**
 * Maximum number of open formatting elements. A parser reopens unclosed elements in every following block, so a few
 * hundred unclosed elements before a thousand paragraphs exhaust memory. Real pages rarely exceed this number.
 */
export const MAX_FORMATTING = 8

/**
 * Maximum number of characters in a tag outside quoted values, about 5,000 attributes. Parsers compare every attribute
 * with the others.
 */
const MAX_UNQUOTED = 20_000

const FORMATTING = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '))
/** Elements that do not nest: void elements, and elements closed by the next element of the same kind. */
const NOT_NESTING = new Set(
  'area base br col embed hr img input link meta param source track wbr html head body p li dt dd option optgroup rp rt tr td th thead tbody tfoot'.split(
    ' ',
  ),
)
/** Elements that contain only text. */
const OPAQUE = new Set(['script', 'style', 'textarea', 'title'])
/** SVG elements. Unlike HTML elements, these elements can be self-closing (`<path/>`). */
const DRAWING =
  /^(?:svg|g|path|rect|circle|ellipse|line|poly(?:line|gon)|use|image|text|tspan|defs|stop|mask|symbol|filter|fe\w+|\w+gradient|clippath|animate\w*|title|desc|style)$/

/**
 * Removes tags that are nested too deeply or have too many attributes, and keeps their text. Parsers search the stack of open elements at nearly
 * every tag, so unbounded nesting would take quadratic time, and recursive functions would overflow the call stack.
 * Scans the page once, and returns pages of normal depth unchanged.
 */
export function flattenDeep(html: string): string {
  const kept: string[] = []
  let [depth, formatting, copied] = [0, 0, 0]
  let drawing = false
  for (let tag = nextTag(html, 0); tag; tag = nextTag(html, tag.resume)) {
    if (tag.name === 'svg') drawing = !tag.closing
    else if (!DRAWING.test(tag.name)) drawing = false
    if (tag.unquoted > MAX_UNQUOTED) {
      kept.push(html.slice(copied, tag.start))
      copied = tag.end
      continue
    }
    if (NOT_NESTING.has(tag.name) || OPAQUE.has(tag.name) || (drawing && html[tag.end - 2] === '/')) continue
    const isForm = FORMATTING.has(tag.name)
    const step = tag.closing ? -1 : 1
    const deepest = Math.max(depth, depth + step)
    const fullest = isForm ? Math.max(formatting, formatting + step) : 0
    depth = Math.max(0, depth + step)
    if (isForm) formatting = Math.max(0, formatting + step)
    if (deepest <= MAX_DEPTH && fullest <= MAX_FORMATTING) continue
    kept.push(html.slice(copied, tag.start))
    copied = tag.end
  }
  return copied === 0 ? html : kept.join('') + html.slice(copied)
}

interface Tag {
  name: string
  closing: boolean
  start: number
  end: number
  /** Number of characters outside quoted values. */
  unquoted: number
  /** Offset at which the search for the next tag resumes. */
  resume: number
}

const NAME = /\/?([a-z][^\s/>]*)/iy

function nextTag(html: string, from: number): Tag | undefined {
  for (let start = html.indexOf('<', from); start !== -1; start = html.indexOf('<', start + 1)) {
    if (html.startsWith('<!--', start)) {
      const end = html.indexOf('-->', start + 4)
      if (end === -1) return undefined
      start = end
      continue
    }
    NAME.lastIndex = start + 1
    const name = NAME.exec(html)?.[1]?.toLowerCase()
    if (!name) continue
    const { end, unquoted } = endOfTag(html, NAME.lastIndex)
    if (end === -1) return undefined
    const closing = html[start + 1] === '/'
    return {
      name,
      closing,
      start,
      end,
      unquoted,
      resume: OPAQUE.has(name) && !closing ? endOfElement(html, name, end) : end,
    }
  }
  return undefined
}

/** Returns the offset after the next `>` outside quoted values, or -1, and the number of characters outside them. */
function endOfTag(html: string, from: number): { end: number; unquoted: number } {
  let [last, unquoted] = ['', 0]
  for (let at = from; at < html.length; at++) {
    const char = html[at] as string
    unquoted++
    if (char === '>') return { end: at + 1, unquoted }
    if ((char === '"' || char === "'") && last === '=') {
      at = html.indexOf(char, at + 1)
      if (at === -1) break
    }
    if (char > ' ') last = char
  }
  return { end: -1, unquoted }
}

/** Returns the offset of a text-only element's closing tag, or of the end of the page if there is none. */
function endOfElement(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}[\\s/>]`, 'gi')
  closing.lastIndex = from
  return closing.exec(html)?.index ?? html.length
}
