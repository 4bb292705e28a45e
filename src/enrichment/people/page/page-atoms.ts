import type { Element } from 'domhandler'
import { scoreName } from '../names/score-name.ts'
import { scoreTitle } from '../titles/score-title.ts'
import type { Line, Segment } from './page-lines.ts'

/**
 * The smallest unit of text that may be a name or a title: a line, an element in a line, or a part between separators.
 */
export interface Atom {
  text: string
  el: Element
  line: Line
  /** Index of the line. */
  row: number
  /** Position within the line; empty for a whole line. */
  part: string
  /** Score as a person's name, 0 to 1. */
  name: number
  /** Score as a job title, 0 to 1; 0 if the text is more likely a name. */
  title: number
}

const STRONG = /\s*(?:\s[-–—|•·‒―~]+\s|\s?[|•·–—]\s?|\s*[:;]\s+|\s\/\s|\t|\s-(?=\p{Lu}))\s*/u

/** Splits all lines into atoms, in order. */
export function atomsOf(lines: Line[]): Atom[] {
  const atoms: Atom[] = []
  for (const [row, line] of lines.entries()) {
    const pieces = splitLine(line).map((piece) => toAtom(piece, line, row))
    const isFirms = namesFirm(pieces) && followsLoneName(atoms, row)
    atoms.push(...(isFirms ? [toAtom({ text: line.text, el: line.el, part: '' }, line, row)] : pieces))
  }
  return atoms
}

function toAtom({ text, el, part }: Piece, line: Line, row: number): Atom {
  const name = scoreName(text)
  return { text, el, line, row, part, name, title: name >= 0.5 ? 0 : scoreTitle(text) }
}

/** Whether a text that is not a name precedes a name, which may then be a firm: `Financial Advisor, Edward Jones`. */
const namesFirm = (pieces: readonly Atom[]): boolean =>
  pieces.length > 1 && (pieces[0] as Atom).name < 0.5 && pieces.slice(1).some(({ name }) => name >= 0.5)

/**
 * Whether a name starts one of the two lines above. The title on this line then belongs to that person, and the name
 * after the title is the employer.
 */
function followsLoneName(atoms: readonly Atom[], row: number): boolean {
  return atoms.slice(-6).some((atom, at, last) => {
    const opens = last[at - 1]?.row !== atom.row
    return atom.name >= 0.5 && opens && row - atom.row <= 2 && !atom.line.alt
  })
}

interface Piece {
  text: string
  el: Element
  part: string
}

function splitLine(line: Line): Piece[] {
  const core = line.segments.filter((segment) => !isContact(segment))
  if (core.length > 0 && core.length < line.segments.length)
    return splitLine({ ...line, segments: core, text: core.map(({ text }) => text).join(' ') })
  const whole = { text: trimEdges(line.text), el: line.el, part: '' }
  const { segments } = line
  const [lead, ...others] = segments
  // A title may be in a separate element and followed by text or a link: `<b>CEO</b> Jane has been with us ...`, `CEO
  // <a>Meet Jane</a>`.
  if (lead && others.length > 0 && scoreTitle(trimSeparators(lead.text)) >= 0.65) {
    const rest = others.map(({ text }) => text).join(' ')
    const apart = lead.el !== line.el || others.every(({ el }) => el.name === 'a')
    if (
      apart &&
      (rest.length > 80 || scoreTitle(rest) === 0) &&
      others.every(({ text }) => scoreName(trimSeparators(text)) === 0)
    )
      return [
        { text: trimSeparators(lead.text), el: lead.el, part: 'e0' },
        { text: rest, el: line.el, part: 'e1' },
      ]
  }
  if (line.text.length > 260) return [whole]
  if (segments.length > 1 && segments.some(({ text }) => startsName(text))) {
    const pieces = segments.flatMap((segment, index) =>
      splitText(trimSeparators(segment.text), segment.el, `e${index}`),
    )
    if (pieces.some((piece) => scoreName(piece.text) > 0)) return pieces.filter(({ text }) => text !== '')
  }
  return splitText(whole.text, line.el, '')
}

/** Whether a segment is an email address or a link such as `LinkedIn`. */
const isContact = ({ text, el }: Segment): boolean =>
  /\S@\S{1,253}\.\w/.test(text) ||
  (el.name === 'a' &&
    text.length < 20 &&
    /^(mailto:|tel:|https?:)/i.test(el.attribs['href'] ?? '') &&
    scoreName(text) === 0 &&
    scoreTitle(text) === 0)

/** Whether a segment contains a complete name. The line is then not a single name spread over several elements. */
const startsName = (text: string): boolean => scoreName(trimSeparators(text)) > 0

/** Removes leading and trailing separators: `Jane Doe |`, `– CEO`. */
const trimEdges = (text: string): string => text.replace(/^\s*[|•·–—]\s*|\s*[|•·:–—]\s*$/g, '')

const trimSeparators = (text: string): string => text.replace(/^[\s,;:|•·–—/-]+|[\s,;:|•·–—/-]+$/g, '')

/**
 * Separates the name from the rest of the text: `Jane Doe, CFA – Partner`, `CEO: Jane Doe`, `Jane Doe (CEO)`, `Doe,
 * Jane, Director`.
 */
function splitText(text: string, el: Element, part: string): Piece[] {
  const whole = [{ text, el, part }]
  if (scoreName(text) > 0 || text.length > 200) return whole
  const parts = text.split(STRONG).filter((one) => one !== '')
  if (parts.length > 1 && parts.length < 7) {
    const pieces = parts.flatMap((one, index) => splitComma(one, el, `${part}s${index}`))
    if (pieces.some((piece) => scoreName(piece.text) > 0)) return pieces
  }
  return splitComma(text, el, part)
}

function splitComma(text: string, el: Element, part: string): Piece[] {
  const whole = [{ text, el, part }]
  if (scoreName(text) > 0) return whole
  const brackets = /^([^()]+)\(([^()]+)\)$/.exec(text)
  if (brackets && scoreName(brackets[1]?.trim() ?? '') > 0)
    return [
      { text: (brackets[1] as string).trim(), el, part: `${part}b0` },
      { text: (brackets[2] as string).trim(), el, part: `${part}b1` },
    ]
  const pieces = text.split(/\s*,\s+/)
  if (pieces.length < 2 || pieces.length > 9) return whole
  // Try the longest start first, because credentials belong to the name.
  for (let end = pieces.length - 1; end > 0; end--) {
    const [head, tail] = [pieces.slice(0, end).join(', '), pieces.slice(end).join(', ')]
    if (scoreName(head) > 0 && (end === 1 || !scoreTitle(pieces[end - 1] as string) || scoreTitle(tail) > 0.5))
      return [
        { text: head, el, part: `${part}c0` },
        { text: tail, el, part: `${part}c1` },
      ]
  }
  const [last, before] = [pieces.at(-1) as string, pieces.slice(0, -1).join(', ')]
  if (scoreName(last) > 0 && scoreTitle(before) >= 0.5)
    return [
      { text: before, el, part: `${part}d0` },
      { text: last, el, part: `${part}d1` },
    ]
  return whole
}
