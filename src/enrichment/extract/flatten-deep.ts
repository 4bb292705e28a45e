/** Deeper nesting than this no browser builds either: Blink and WebKit stop at 512 open elements. */
export const MAX_DEPTH = 512
/**
 * Elements of form that may be open at once. A parser opens them again in every block that follows, so that a few hundred left open
 * before a thousand paragraphs make a tree that no memory holds. More than a handful is nobody's page.
 */
export const MAX_FORMATTING = 8

const FORMATTING = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '))
/** Elements without an end, and those that end where the next begins. */
const NOT_NESTING = new Set(
  'area base br col embed hr img input link meta param source track wbr html head body p li dt dd option optgroup rp rt tr td th thead tbody tfoot'.split(
    ' ',
  ),
)
/** What stands in these is text. */
const OPAQUE = new Set(['script', 'style', 'textarea', 'title'])
/** Parts of a drawing, which may end in themselves (`<path/>`); no HTML element may. */
const DRAWING =
  /^(?:svg|g|path|rect|circle|ellipse|line|poly(?:line|gon)|use|image|text|tspan|defs|stop|mask|symbol|filter|fe\w+|\w+gradient|clippath|animate\w*|title|desc|style)$/

/**
 * HTML without the tags that would nest too deep; the text in them stays. Parsers search their stack of open elements at nearly every
 * tag, so that the cost of a page nested without end grows with the square of its length, and those that call themselves end the
 * process. In one pass; a page of usual depth is returned as it is.
 */
export function flattenDeep(html: string): string {
  const kept: string[] = []
  let [depth, formatting, copied] = [0, 0, 0]
  let drawing = false
  for (let tag = nextTag(html, 0); tag; tag = nextTag(html, tag.resume)) {
    if (tag.name === 'svg') drawing = !tag.closing
    else if (!DRAWING.test(tag.name)) drawing = false
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
  /** Where to look for the next tag. */
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
    const end = endOfTag(html, NAME.lastIndex)
    if (end === -1) return undefined
    const closing = html[start + 1] === '/'
    return { name, closing, start, end, resume: OPAQUE.has(name) && !closing ? endOfElement(html, name, end) : end }
  }
  return undefined
}

/** After the `>` that is in no quoted value; -1 when the page ends before it. */
function endOfTag(html: string, from: number): number {
  let last = ''
  for (let at = from; at < html.length; at++) {
    const char = html[at] as string
    if (char === '>') return at + 1
    if ((char === '"' || char === "'") && last === '=') {
      at = html.indexOf(char, at + 1)
      if (at === -1) return -1
    }
    if (char > ' ') last = char
  }
  return -1
}

/** Before the closing tag of an element that holds no others; where there is none it holds the rest of the page. */
function endOfElement(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}[\\s/>]`, 'gi')
  closing.lastIndex = from
  return closing.exec(html)?.index ?? html.length
}
