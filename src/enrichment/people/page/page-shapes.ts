import type { Element } from 'domhandler'
import type { Line } from './page-lines.ts'

/** Number of ancestors whose tags describe an element's position. */
const DEPTH = 4

/**
 * Returns the tags of the innermost ancestors, the heading level, the classes and the table column. The result is the
 * same for content from the same template.
 */
export function placeOf(line: Line, el: Element, part: string): string {
  const tags: string[] = []
  for (
    let node: Element | null = el;
    node && tags.length < DEPTH && node.name !== 'body';
    node = node.parent as Element | null
  )
    if (node.name !== 'a' || tags.length > 0) tags.push(node.name)
  return `${line.alt ? 'alt ' : ''}${line.heading} ${tags.join('<')} ${columnOf(line)} ${part}`
}

/** Returns the index of the line's table cell, or an empty string outside tables. */
export function columnOf({ el }: Line): string {
  if (el.name !== 'td' && el.name !== 'th') return ''
  return `${el.parent?.children.filter(({ type }) => type === 'tag').indexOf(el) ?? ''}`
}
