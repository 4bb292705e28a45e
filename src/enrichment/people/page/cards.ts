import type { Element } from 'domhandler'
import { nameKey } from './name-key.ts'
import type { NameSpan } from './name-span.ts'

/** Maximum number of ancestors visited, to limit work on hostile pages. */
const MAX_DEPTH = 80

/** For each name, returns the highest element that contains no other name. */
export function cardsOf(names: readonly NameSpan[]): Element[] {
  const holders = new Map<Element, Set<string>>()
  for (const name of names)
    for (const el of ancestors(name.el)) holders.set(el, (holders.get(el) ?? new Set()).add(nameKey(name.text)))
  return names.map(({ el }) => {
    let best = el
    for (const node of ancestors(el)) {
      if (node.name === 'body' || node.name === 'main' || holders.get(node)?.size !== 1) break
      best = node
    }
    return best
  })
}

function* ancestors(el: Element): Generator<Element> {
  let depth = 0
  for (let node: Element | null = el; node && node.name !== 'html' && depth < MAX_DEPTH; depth++) {
    yield node
    node = node.parent as Element | null
  }
}
