import type { Element } from 'domhandler'
import type { Atom } from './page-atoms.ts'

/**
 * Returns the tags of an atom's innermost ancestors and its position in the line. The result is equal for content from
 * the same template.
 */
export function shapeOf({ el, part, line }: Pick<Atom, 'el' | 'part' | 'line'>, depth: number): string {
  const tags: string[] = []
  for (
    let node: Element | null = el;
    node && tags.length < depth && node.name !== 'body';
    node = node.parent as Element | null
  )
    if (node.name !== 'a' || tags.length > 0) tags.push(node.name)
  return `${line.alt ? 'alt' : ''}${tags.join('<')}${part}`
}
