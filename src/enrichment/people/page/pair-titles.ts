import type { NameCard } from './name-cards.ts'
import { nameKey } from './name-cards.ts'
import type { Atom } from './page-atoms.ts'
import { shapeOf } from './page-shapes.ts'

/** Position of a title relative to its name. */
type Side = 'row' | 'after' | 'before'
const SIDES: readonly Side[] = ['row', 'after', 'before']

/** A name with its title, and the number of similar names that support the pair. */
export interface Pair {
  card: NameCard
  title: Atom | null
  /** Number of people whose names have the same shape, and the number of them with a certain title on the same side. */
  peers: number
  agreeing: number
  /** Share of the peers whose texts score high as names. */
  known: number
  /** Whether the title is identified by its words, and not only by its position. */
  sure: boolean
}

const SURE = 0.65
const MAX_ROWS = 4

/**
 * Pairs names with titles. Names with the same ancestor tags form a group. If most of the group has a certain title on
 * the same side, this side applies to the whole group, and a text in the same position counts as a title even if its
 * words are unknown.
 */
export function pairTitles(atoms: readonly Atom[], cards: readonly NameCard[]): Pair[] {
  const groups = [...Map.groupBy(cards, ({ atom }) => shapeOf(atom, 4)).values()]
  const [many, few] = [
    groups.filter((group) => countPeople(group) > 2),
    groups.filter((group) => countPeople(group) <= 2),
  ]
  // Small groups are added to larger groups with a similar shape, because the head of a team is often shown one level
  // above the others.
  const alike = Map.groupBy(few.flat(), ({ atom }) => shapeOf(atom, 2))
  for (const [shape, group] of alike) {
    const host = many.find(([first]) => first && shapeOf(first.atom, 2) === shape)
    if (host) host.push(...group)
    else many.push(group)
  }
  return many.flatMap((group) => pairGroup(atoms, group))
}

const countPeople = (group: NameCard[]): number => new Set(group.map(({ key }) => key)).size

interface Candidate {
  atom: Atom
  rows: number
  /** Whether the candidate is in the person's card. */
  own: boolean
}

function pairGroup(atoms: readonly Atom[], all: NameCard[]): Pair[] {
  const headed = new Map(
    all.flatMap((card) => (titleOver(atoms, card) ? [[card, titleOver(atoms, card) as Atom]] : [])),
  )
  const group = all.filter((card) => !headed.has(card))
  const people = countPeople(all)
  const known = all.filter(({ atom }) => atom.name >= 0.8).length / all.length
  return [
    ...[...headed].map(([card, title]) => ({ card, title, peers: people, agreeing: headed.size, known, sure: true })),
    ...pairByVote(atoms, group).map((pair) => ({ ...pair, peers: people, known })),
  ]
}

/** Finds the title in the heading above a single name: `<h3>Treasurer</h3><p>Jane Doe</p>`. */
function titleOver(atoms: readonly Atom[], { atom: name, index, key }: NameCard): Atom | undefined {
  const above = atoms[index - 1]
  if (!above || name.line.heading > 0 || above.line.heading === 0 || above.title < 0.85) return undefined
  if (name.row - above.row !== 1 || above.line.alt) return undefined
  for (const atom of atoms.slice(index + 1, index + 12)) {
    if (atom.line.heading > 0) return atom.line.heading === above.line.heading ? above : undefined
    if ((atom.name >= 0.5 && nameKey(atom.text) !== key) || atom.title >= SURE) return undefined
  }
  return atoms.length <= index + 12 ? above : undefined
}

function pairByVote(atoms: readonly Atom[], group: NameCard[]): Omit<Pair, 'peers' | 'known'>[] {
  const found = group.map((card) => new Map(SIDES.map((side) => [side, candidates(atoms, card, side)])))
  const own = found.some((sides) => SIDES.some((side) => sides.get(side)?.some((one) => one.own && isSure(one))))
  // If any card contains a title, only content inside cards votes.
  const votes = SIDES.map((side) =>
    found.flatMap((sides) => sides.get(side)?.find((one) => isSure(one) && (one.own || !own)) ?? []),
  )
  // If several sides have the same number of votes, more certain titles and smaller distances win.
  const weights = votes.map((list) => list.reduce((sum, { atom, rows }) => sum + 1 + (atom.title - rows * 0.1) / 10, 0))
  // If at least half of the names have a title on the same line, this side wins, even if there are labels above the
  // cards.
  const inRow = (votes[0]?.length ?? 0) * 2 >= group.length && group.length > 0
  const at = inRow ? 0 : weights.indexOf(Math.max(...weights))
  const side = SIDES[at] as Side
  const best = votes[at]?.length ?? 0
  const place = modalPlace(found.map((sides) => (sides.get(side) ?? []).find(isSure)))
  const filled = found.filter((sides) => (sides.get(side) ?? []).some((one) => placeOf(one) === place)).length
  // The position is accepted if at least half of the names have a certain title there, or if at least a quarter do and
  // nearly all names have some text there.
  const isPlace =
    best > 0 && (best * 2 >= group.length || (best >= 3 && best * 4 >= group.length && filled >= group.length * 0.8))
  const agreeing = isPlace ? Math.max(best, Math.ceil(group.length / 2)) : best
  return group.map((card, index) => {
    const near = found[index]?.get(side) ?? []
    const title = near.find((one) => isSure(one) && placeOf(one) === place) ?? near.find(isSure)
    const weak = isPlace ? near.find((one) => placeOf(one) === place) : undefined
    return { card, title: (title ?? weak)?.atom ?? null, agreeing, sure: title !== undefined }
  })
}

const isSure = ({ atom }: Candidate): boolean => atom.title >= SURE
const placeOf = ({ atom, rows }: Candidate): string => `${rows}:${atom.el.name}`

function modalPlace(titles: (Candidate | undefined)[]): string | undefined {
  const counts = new Map<string, number>()
  for (const title of titles) if (title) counts.set(placeOf(title), (counts.get(placeOf(title)) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0]
}

/**
 * Returns the candidates for the title on one side of a name, nearest first: inside the name's card, otherwise up to
 * the neighboring names.
 */
function candidates(atoms: readonly Atom[], card: NameCard, side: Side): Candidate[] {
  const own = collect(atoms, card, side, card.inside, true)
  // If the card contains other content, a title would be inside the card.
  if (own.length > 0 || (side !== 'row' && card.inside[1] - card.inside[0] > 2)) return own
  return collect(atoms, card, side, card.stretch, false)
}

function collect(
  atoms: readonly Atom[],
  { atom: name, index }: NameCard,
  side: Side,
  [from, to]: [number, number],
  own: boolean,
): Candidate[] {
  const step = side === 'before' ? -1 : 1
  const start = side === 'row' ? Math.max(from, index - 6) : index + step
  const found: Candidate[] = []
  for (let at = start; at >= from && at <= to; at += step) {
    const atom = atoms[at] as Atom
    const rows = Math.abs(atom.row - name.row)
    if (side === 'row' ? atom.row > name.row : rows > MAX_ROWS) break
    if (side === 'row' ? rows > 0 || atom === name : rows === 0) continue
    // A section heading is not a title, and the content after it does not belong to the name.
    if (side === 'after' && atom.line.heading > 0 && name.line.heading > atom.line.heading) break
    if (side === 'before' && atom.line.heading > 0 && !isCloser(atom, name)) break
    if (side === 'after' && atom.line.heading > 0 && name.line.heading === 0 && opensSection(atoms, at)) break
    if (atom.title > 0 && atom.name < 0.5 && (!atom.line.alt || rows === 0)) found.push({ atom, rows, own })
  }
  return found
}

/** Whether a heading has several names below it and is therefore not one person's title. */
function opensSection(atoms: readonly Atom[], at: number): boolean {
  const level = atoms[at]?.line.heading ?? 0
  const names = new Set<string>()
  for (const atom of atoms.slice(at + 1, at + 40)) {
    if (atom.line.heading > 0 && atom.line.heading <= level) break
    if (atom.name >= 0.5) names.add(nameKey(atom.text))
  }
  return names.size > 1
}

/**
 * Whether a heading before a name can be the person's title. The name must also be a heading, of the same or a higher
 * rank.
 */
const isCloser = (atom: Atom, name: Atom): boolean => name.line.heading > 0 && atom.line.heading >= name.line.heading
