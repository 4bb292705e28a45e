import { mayBeName } from '../names/score-name.ts'
import { classifyText } from '../text-kinds/classify-text.ts'
import type { Atom } from './page-atoms.ts'
import { shapeOf } from './page-shapes.ts'

/** Minimum number of distinct texts. Smaller columns provide too little evidence. */
const MIN_TEXTS = 3
const MAX_LENGTH = 70
/** Minimum mean log-odds of a column of names and of a column of titles. */
const NAMES = 0.7
const TITLES = 0.1
const SURE_NAME = 0.75
const SURE_TITLE = 0.66

interface Column {
  atoms: Atom[]
  /** Mean log-odds that the column's texts are names, and that they are titles. */
  name: number
  title: number
}

/**
 * Labels columns of repeated content. Texts in the same position of similar cards, rows or list items are usually of
 * the same kind, so their evidence is combined. An unusual name in a column of names counts as a name. A text that
 * resembles a name counts as a title if it is in a column of titles beside names.
 */
export function labelColumns(atoms: readonly Atom[]): Atom[] {
  const columns = [...Map.groupBy(atoms.filter(isShort), columnOf).values()]
    .filter((group) => new Set(group.map(({ text }) => text)).size >= MIN_TEXTS)
    .map(measure)
  const names = columns.filter(({ name, title }) => name >= NAMES && name > title)
  const labels = new Map<Atom, 'name' | 'title'>()
  for (const { atoms: texts } of names) for (const atom of texts) labels.set(atom, 'name')
  for (const column of columns) {
    const isBeside = names.some((other) => other !== column && isAlongside(other.atoms, column.atoms))
    if (isBeside && column.title >= TITLES && column.title > column.name)
      for (const atom of column.atoms) labels.set(atom, 'title')
  }
  return atoms.map((atom) => {
    const label = labels.get(atom)
    if (label === 'name' && mayBeName(atom.text)) return { ...atom, name: Math.max(atom.name, SURE_NAME), title: 0 }
    // Texts that score 0 both as a name and as a title are employers, links or parts of sentences.
    if (label === 'title' && (atom.title > 0 || atom.name > 0))
      return { ...atom, name: 0, title: Math.max(atom.title, SURE_TITLE) }
    return atom
  })
}

const isShort = ({ text, line }: Atom): boolean =>
  !line.alt && text.length <= MAX_LENGTH && /\p{L}{2}/u.test(text) && !/[.!?][”"»]?$|\d{2}|@/u.test(text)

/** Returns a key for the atom's position. It is equal for the same position in similar cells, cards and rows. */
function columnOf(atom: Atom): string {
  const { el, line } = atom
  const cell = /^t[dh]$/u.test(line.el.name) ? line.el.parent?.children.filter(({ type }) => type === 'tag') : undefined
  const place = cell ? cell.indexOf(line.el) : ''
  return `${line.heading} ${shapeOf(atom, 4)} ${el.attribs?.['class'] ?? ''} ${place}`
}

function measure(atoms: Atom[]): Column {
  const mean = (probability: (atom: Atom) => number): number =>
    atoms.reduce((sum, atom) => sum + logit(probability(atom)), 0) / atoms.length
  return { atoms, name: mean(nameOdds), title: mean(titleOdds) }
}

/** Scores based on known words take precedence over the letter-based classifier. */
const nameOdds = ({ text, name, title }: Atom): number =>
  name >= 0.9 ? 0.9 : title >= 0.85 || (name === 0 && !mayBeName(text)) ? 0.03 : classifyText(text).name
const titleOdds = ({ text, title }: Atom): number => (title >= 0.6 ? 0.9 : classifyText(text).title)

const logit = (probability: number): number => {
  const bounded = Math.min(0.97, Math.max(0.03, probability))
  return Math.log(bounded / (1 - bounded))
}

/** Whether most names have a text from the other column within two rows, and the other column is not much longer. */
function isAlongside(names: readonly Atom[], texts: readonly Atom[]): boolean {
  if (texts.length > names.length * 1.5) return false
  const near = names.filter((name) => texts.some(({ row }) => Math.abs(row - name.row) <= 2))
  return near.length >= names.length * 0.7
}
