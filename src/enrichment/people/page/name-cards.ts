import type { Element } from 'domhandler'
import { foldAccents } from '../../../lib/fold-accents.ts'
import { parseName } from '../names/parse-name.ts'
import type { Atom } from './page-atoms.ts'

/** A name on the page, and the extent of the content that is only about this person. */
export interface NameCard {
  atom: Atom
  /** Index of the name in the page's atoms. */
  index: number
  /** A key that is equal for all mentions of the person. */
  key: string
  /** The highest element that contains no other name. */
  card: Element
  /**
   * Indexes of the first and last atom in the card (`inside`), and in the range up to the neighboring cards
   * (`stretch`).
   */
  inside: [from: number, to: number]
  stretch: [from: number, to: number]
}

const MAX_NAMES = 800
/** Maximum number of ancestors visited, to limit work on hostile pages. */
const MAX_DEPTH = 80
/**
 * Maximum number of atoms in each direction in the card on a page with a single name, because the rest of the page has
 * other content.
 */
const MAX_LONE_CARD = 12

/** Finds the cards of all atoms that may be names. */
export function nameCards(atoms: readonly Atom[]): NameCard[] {
  const named = joinScripts(
    atoms
      .map((atom, index) => ({ atom, index }))
      .filter(({ atom }) => atom.name >= 0.5)
      .slice(0, MAX_NAMES)
      .map((named) => ({ ...named, key: nameKey(named.atom.text) })),
  )
  const written = new Set(named.filter(({ atom }) => !atom.line.alt).map(({ key }) => key))
  // An image's `alt` text often repeats the name beside it with more words: `Profilbild Jane Doe`.
  const isRepeated = (key: string): boolean => written.has(key) || [...written].some((one) => key.includes(one))
  const names = named.filter(({ atom, key }) => !atom.line.alt || !isRepeated(key))
  const holders = new Map<Element, Set<string>>()
  for (const { atom, key } of names)
    for (const el of ancestors(atom.el)) {
      const keys = holders.get(el) ?? new Set()
      holders.set(el, keys.add(key))
    }
  const lone = new Set(names.map(({ key }) => key)).size === 1
  const cards = names.map((name) => {
    const card = highestAlone(name.atom.el, holders)
    // If one element contains several names separated by `<br>`, only the line with the name belongs to this person.
    const shared = (holders.get(card)?.size ?? 0) > 1
    return { ...name, card, inside: extent(atoms, name.index, card, lone ? MAX_LONE_CARD : 80, shared) }
  })
  return cards.map((card, place) => {
    const before = cards.slice(0, place).findLast(({ key }) => key !== card.key)
    const after = cards.slice(place + 1).find(({ key }) => key !== card.key)
    return { ...card, stretch: [(before?.inside[1] ?? -1) + 1, (after?.inside[0] ?? atoms.length) - 1] }
  })
}

/** Removes names that repeat the name directly before them in another script (`Jane Doe`, `ジェーン・ドウ`). */
function joinScripts<Name extends { atom: Atom; index: number }>(names: Name[]): Name[] {
  const isLatin = ({ atom }: Name): boolean => /\p{Script=Latin}/u.test(atom.text)
  return names.filter((name, place) => {
    const before = names[place - 1]
    return !(before && before.index === name.index - 1 && isLatin(before) !== isLatin(name))
  })
}

/**
 * Returns a comparison key for names: lower-case letters without honorifics and credentials. `Dr. Jane Q. Doe, CFA` and
 * `JANE Q. DOE` have the same key.
 */
export function nameKey(text: string): string {
  const name = (parseName(text)?.full_name ?? text)
    .replace(/,.*$/s, (tail) => (/^,\s*\p{Lu}[\p{L}.-]+$/u.test(tail) && !/^,\s*[A-Z]{2,}®?$/.test(tail) ? tail : ''))
    .replace(/[®™]/g, '')
  return foldAccents(name)
    .replace(/^((mr|mrs|ms|dr|prof|sir|herr|frau|dipl|ing|med|mag)\b[.-]?\s*)+/i, '')
    .replace(/\s[A-Z]{2,5}$/, '')
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
}

function* ancestors(el: Element): Generator<Element> {
  let depth = 0
  for (let node: Element | null = el; node && node.name !== 'html' && depth < MAX_DEPTH; depth++) {
    yield node
    node = node.parent as Element | null
  }
}

function highestAlone(el: Element, holders: Map<Element, Set<string>>): Element {
  let best = el
  for (const node of ancestors(el)) {
    if (node.name === 'body' || node.name === 'main' || holders.get(node)?.size !== 1) break
    best = node
  }
  return best
}

function extent(
  atoms: readonly Atom[],
  index: number,
  card: Element,
  limit: number,
  ownLine: boolean,
): [number, number] {
  const { row } = atoms[index] as Atom
  const isInside = (atom: Atom): boolean => isWithin(atom.el, card) && (!ownLine || atom.row === row)
  let [from, to] = [index, index]
  while (from > 0 && index - from < limit && isInside(atoms[from - 1] as Atom)) from--
  while (to < atoms.length - 1 && to - index < limit && isInside(atoms[to + 1] as Atom)) to++
  return [from, to]
}

/** Whether an element is inside `outer` or is `outer`. */
export function isWithin(el: Element, outer: Element): boolean {
  for (const node of ancestors(el)) if (node === outer) return true
  return false
}
