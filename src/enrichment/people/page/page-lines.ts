import type { AnyNode, ChildNode, Element } from 'domhandler'
import type { Page } from '../../extract/page.ts'
import { tidy } from '../../extract/page.ts'
import { isNameShaped, nameScore } from './name-shape.ts'

/** A part of a line, in a separate element. `<strong>Jane Doe</strong>, CEO` has two segments. */
export interface Segment {
  text: string
  el: Element
}

/** One visual line: the text between two block boundaries or line breaks. */
export interface Line {
  text: string
  segments: Segment[]
  /** The nearest enclosing block element. */
  el: Element
  /** Level of the enclosing heading, 1 to 6; 0 outside headings. */
  heading: number
  /** Whether the line is an image's `alt` text. */
  alt: boolean
  /** Targets of the links to mailboxes and telephones on the line, or after it if they have no text. */
  contacts: string[]
}

const SKIPPED = new Set(
  'script style noscript template nav select textarea iframe object head form video audio canvas math s del strike title desc defs path'.split(
    ' ',
  ),
)
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data dfn em font i ins kbd mark q s samp small span strong sub sup time tt u var wbr label'.split(
    ' ',
  ),
)
const SKIPPED_ROLE = /^(navigation|search|menu|menubar)$/i
const CONTACT = /^(?:mailto|tel):/iu
const MAX_LINES = 20_000
/** Maximum number of parts of a line, and its approximate maximum length. The rest of a longer line is ignored. */
const MAX_SEGMENTS = 500
const MAX_LENGTH = 10_000

/** Returns the lines of a page's body in document order. Skips navigation and forms. */
export function linesOf({ $ }: Page): Line[] {
  const body = $('body')[0]
  if (!body) return []
  const lines: Line[] = []
  let segments: Segment[] = []
  let block = body
  let length = 0
  let contacts: string[] = []
  const flush = (): void => {
    const line = toLine(segments, block, contacts)
    if (line) lines.push(line)
    else lines.at(-1)?.contacts.push(...contacts)
    segments = []
    contacts = []
    length = 0
  }
  const add = (segment: Segment): void => {
    if (segments.length >= MAX_SEGMENTS || length >= MAX_LENGTH) return
    length += segment.text.length
    segments.push(segment)
  }
  // Uses an explicit stack, because recursion would overflow the call stack on pages with ten thousand nested elements.
  const stack: (AnyNode | { leave: Element })[] = [body]
  for (let node = stack.pop(); node !== undefined && lines.length < MAX_LINES; node = stack.pop()) {
    if ('leave' in node) {
      flush()
      block = node.leave
    } else if (node.type === 'text') {
      const el = (node.parent as Element | null) ?? body
      if (block.name === 'pre')
        for (const [at, text] of preformatted(node.data).entries()) {
          if (at > 0) flush()
          if (text !== '') add({ text, el })
        }
      else if (node.data.trim() !== '') add({ text: node.data.slice(0, MAX_LENGTH), el })
      else if (segments.length > 0) add({ text: ' ', el: body })
    } else if (node.type === 'tag') {
      if (isSkipped(node)) continue
      if (node.name === 'a' && CONTACT.test(node.attribs['href'] ?? '')) contacts.push(node.attribs['href'] as string)
      if (node.name === 'br') {
        if (headingLevel(block) === 0) flush()
        else add({ text: '\n', el: node })
      } else if (node.name === 'img' || node.name === 'area') addAlt(node, lines, flush)
      else {
        const isBlock = !INLINE.has(node.name) || isInlineCard(node)
        if (isBlock) {
          flush()
          stack.push({ leave: block })
          block = node
        }
        addLabel(node, lines, flush)
        for (let child = node.children.length - 1; child >= 0; child--) stack.push(node.children[child] as AnyNode)
      }
    }
  }
  flush()
  return lines
}

/** Returns the lines of a preformatted text. Several spaces separate columns. */
const preformatted = (text: string): string[] =>
  text
    .slice(0, MAX_LENGTH)
    .split(/\r?\n/u)
    .map((line) => line.trim().replace(/\t+|\s{3,}/gu, ' | '))

/** Minimum number of elements in an inline card. */
const MIN_PARTS = 2

/**
 * Returns whether an inline element is one of several equal cards, such as `<a class="member"><span>Jane Doe</span>
 * <span>CEO</span></a>`. Style sheets show these elements as blocks.
 */
function isInlineCard(el: Element): boolean {
  const style = el.attribs['class']
  if (!style || el.children.filter(({ type }) => type === 'tag').length < MIN_PARTS) return false
  return [el.prev, el.next].some((beside) => {
    const other = beside?.type === 'text' && beside.data.trim() === '' ? sibling(beside, el) : beside
    return other?.type === 'tag' && other.name === el.name && other.attribs['class'] === style
  })
}

/** Returns the node on the other side of the text between two elements. */
const sibling = (text: ChildNode, el: Element): ChildNode | null => (text.next === el ? text.prev : text.next)

function isSkipped(el: Element): boolean {
  // Large forms are not skipped, because old server frameworks wrap the whole page in one form.
  if (SKIPPED.has(el.name)) return el.name !== 'form' || el.children.length < 40
  return SKIPPED_ROLE.test(el.attribs['role'] ?? '')
}

function addAlt(img: Element, lines: Line[], flush: () => void): void {
  const alt = tidy(img.attribs['alt'] ?? '')
  if (alt.length > 200) return
  const text = alt
    .replace(
      /^((a )?(photo|picture|portrait|headshot|image|profile( picture| photo| image)?|foto|bild|porträt)( of| von)?:?) /i,
      '',
    )
    .replace(
      /['’]s (photo|picture|portrait|headshot|image|profile picture)$|[\s,–-]+(photo|picture|portrait|headshot|image|profile|team member|foto)$/i,
      '',
    )
  if (text.length < 4 || text.length > 120) return
  flush()
  // The text in an image map is its only content, whereas an ordinary image usually repeats the text beside it.
  lines.push({ text, segments: [{ text, el: img }], el: img, heading: 0, alt: img.name === 'img', contacts: [] })
}

/** Maximum number of nodes searched for text in a labeled element. */
const MAX_SEARCHED = 20

/** Adds the tooltip of an element without text, such as `<a title="Jane Doe, CEO"><img></a>`. */
function addLabel(el: Element, lines: Line[], flush: () => void): void {
  const text = tidy(el.attribs['title'] ?? el.attribs['aria-label'] ?? '')
  // A tile may name its person only for screen readers: `<a aria-label="Jane Doe"><span>CEO</span></a>`.
  if (text.length < 4 || text.length > 120 || (hasText(el) && !isFullName(text))) return
  flush()
  lines.push({ text, segments: [{ text, el }], el, heading: 0, alt: false, contacts: [] })
}

const isFullName = (text: string): boolean => text.includes(' ') && isNameShaped(text) && nameScore(text) > 0.5

function hasText(el: Element): boolean {
  const stack: AnyNode[] = [...el.children.slice(0, MAX_SEARCHED)]
  for (let node = stack.pop(), seen = 1; node; node = stack.pop(), seen++) {
    if (seen > MAX_SEARCHED || (node.type === 'text' && node.data.trim() !== '')) return true
    if (node.type === 'tag') stack.push(...node.children.slice(0, MAX_SEARCHED))
  }
  return false
}

function toLine(parts: Segment[], block: Element, contacts: string[]): Line | null {
  let segments: Segment[] = []
  let open = false
  for (const { text, el } of parts) {
    const clean = tidy(text)
    const last = segments.at(-1)
    if (clean === '') open = false
    else if (last && last.el === el && open) last.text = `${last.text} ${clean}`
    else {
      segments.push({ text: clean, el })
      open = true
    }
  }
  if (segments.length === 0) return null
  const texts = segments.filter((segment) => !isContact(segment))
  if (texts.length > 0) segments = texts
  // Segments are joined with a space, because adjacent elements are usually separated on screen.
  const text = tidy(segments.map(({ text, el }) => (el.name === 'sup' ? text : ` ${text}`)).join('')).replace(
    / ([,.;:)®™]|’(?=s?(?:\s|$)))/g,
    '$1',
  )
  return { text, segments, el: block, heading: headingLevel(block), alt: false, contacts }
}

/** Returns whether a segment is an email address or a link to another site or a mailbox, such as `LinkedIn`. */
const isContact = ({ text, el }: Segment): boolean =>
  /^\S+@\S{1,253}\.\w+$/u.test(text) ||
  (el.name === 'a' &&
    text.length < 20 &&
    /^(?:mailto:|tel:|https?:)/iu.test(el.attribs['href'] ?? '') &&
    !/\s\p{Lu}/u.test(text))

/** Returns the level of the enclosing heading, 1 to 6; 0 outside headings. */
function headingLevel(el: Element): number {
  for (let node: Element | null = el, up = 0; node && up < 3; node = node.parent as Element | null, up++) {
    const found = /^h([1-6])$/.exec(node.name ?? '')
    if (found) return Number(found[1])
    if (node.attribs?.['role'] === 'heading') return Number(node.attribs['aria-level'] ?? 3)
  }
  return 0
}
