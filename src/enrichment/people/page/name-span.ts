import type { Element } from 'domhandler'
import type { Line } from './page-lines.ts'

/** A part of a line that may be a person's name. */
export interface NameSpan {
  text: string
  line: Line
  /** Index of the line. */
  row: number
  /** Offsets in the line's text. The end includes credentials after the name. */
  start: number
  end: number
  form: 'line' | 'part' | 'inverted' | 'prose'
  /** The element that contains the start of the name. */
  el: Element
  /** A key shared by all texts in the same position in similar cards, rows and list items. */
  place: string
  /** Likelihood that the text is a name, 0 to 1, based on its words and letters. */
  score: number
}
