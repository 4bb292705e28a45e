import { mayBeName } from '../names/score-name.ts'
import type { Atom } from './page-atoms.ts'
import { shapeOf } from './page-shapes.ts'

const SURE_NAME = 0.75
const SURE_TITLE = 0.65

/**
 * Promotes texts with the form of a name to names if a title is on the next line and other cards have names in the same
 * position. For example, `Jane Painter` beside `Robert Doe` is a person.
 */
export function promoteNames(atoms: readonly Atom[]): Atom[] {
  const shapes = new Set(atoms.filter((atom, at) => atom.name >= SURE_NAME && leads(atoms, at)).map(placeOf))
  if (shapes.size === 0) return [...atoms]
  return atoms.map((atom, at) =>
    atom.name < 0.5 && shapes.has(placeOf(atom)) && leads(atoms, at) && mayBeName(atom.text)
      ? { ...atom, name: 0.6, title: 0 }
      : atom,
  )
}

const placeOf = (atom: Atom): string => `${atom.line.heading} ${shapeOf(atom, 4)}`

/** Whether the next line is a title in a different kind of element than the name. */
function leads(atoms: readonly Atom[], at: number): boolean {
  const [atom, next] = [atoms[at] as Atom, atoms[at + 1]]
  return next !== undefined && next.row === atom.row + 1 && next.title >= SURE_TITLE && placeOf(next) !== placeOf(atom)
}
