import { areForeign, isForeignType } from './foreign-records.ts'
import { titleScore } from './page/title-span.ts'
import type { Audience, Place } from './script-audience.ts'
import { audienceOf, isForeignKey, placeUnder } from './script-audience.ts'
import type { Fields, NameColumn } from './script-records.ts'
import { fieldsOf, nameColumnOf } from './script-records.ts'
import { scoreTitle } from './titles/score-title.ts'

/** A person found in the data embedded in a page's scripts. */
export interface ScriptPerson {
  name: string
  title: string
  email: string | null
  confidence: number
  /** Whether the list's key, or a heading next to it, indicates the company's people. */
  isOwn: boolean
}

/** Sibling records of the same type. */
interface Group {
  records: readonly Fields[]
  place: Place
}

interface NamedGroup extends Group {
  sample: readonly Fields[]
  /** The keys that occur in the sample. */
  keys: readonly string[]
  names: NameColumn
}

/**
 * Matches the keys of fields that contain titles. A matching key increases the confidence, and titles under other keys
 * are recognized by their values.
 */
const TITLE_KEY =
  /^(?:(?:job|staff|member)?_?(?:title|role|position)s?|designation|occupation|function|jobrole|cargo|puesto|fonction|poste|funktion|functie|rolle?|roll|ruolo|stanowisko|pozice|beosztas|gorev|unvan)$/i
/** Matches keys that contain headlines and product names as often as job titles. */
const HEADLINE_KEY = /^titles?$/i
const MAX_NODES = 100_000
const MAX_DEPTH = 40
/** Maximum number of records used to recognize a list's columns. */
const MAX_SAMPLE = 50
const MAX_TITLE_LENGTH = 140
/** The confidence of titles under unknown keys, and of the only person in an undetermined list. */
const UNSURE_CONFIDENCE = 0.75
/** Maximum number of name lists to read. Limits the time spent on hostile pages. */
const MAX_LISTS = 500
/**
 * Minimum number of people at which an undetermined list is used, and minimum number of the company's people at which
 * undetermined lists are skipped.
 */
const ENOUGH = 2
/** Minimum title score for the only person in an undetermined list. */
const CERTAIN_TITLE = 0.8
/** Minimum share of a list's records that must be people. */
const MOST = 0.6

/**
 * Finds the company's people in lists of similar records in which one field, or two fields together, contain names and
 * another field contains titles. The fields are recognized by their values, regardless of their keys. Skips lists of
 * customers, authors, speakers and products, which are identified by their keys, adjacent headings and other fields. If
 * lists of the company's people are found, undetermined lists are skipped too.
 */
export function readScriptPeople(data: readonly unknown[]): ScriptPerson[] {
  const people = new Map<string, ScriptPerson>()
  const lists = groupsIn(data).flatMap(withNames).take(MAX_LISTS)
  for (const person of lists.flatMap(peopleOfList)) {
    const known = people.get(person.name)
    if (known === undefined || (person.isOwn && !known.isOwn)) people.set(person.name, person)
  }
  const own = [...people.values()].filter(({ isOwn }) => isOwn)
  return own.length >= ENOUGH ? own : [...people.values()]
}

/**
 * Yields groups of sibling records of the same type from anywhere in the data, except under keys that indicate other
 * people.
 */
function* groupsIn(data: readonly unknown[]): Generator<Group> {
  const top: Place = { label: '', within: [] }
  const stack: { value: unknown; place: Place; depth: number; isInList: boolean }[] = data.map((value) => ({
    value,
    place: top,
    depth: 0,
    isInList: false,
  }))
  for (let next = stack.pop(), nodes = 0; next && nodes < MAX_NODES; next = stack.pop(), nodes++) {
    const { value, place, depth, isInList } = next
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) continue
    // The record of a quotation contains the quotation's author: `{quote, client, person: {name, role}}`.
    const isForeign = isInList && areForeign([fieldsOf(value)], Object.keys(value))
    const children = Object.entries(value).flatMap(([key, child]) =>
      typeof child !== 'object' || child === null || isForeignKey(key) || (isForeign && !Array.isArray(child))
        ? []
        : [
            {
              value: child as object,
              place: placeUnder(place, key, value),
              depth: depth + 1,
              isInList: Array.isArray(value),
            },
          ],
    )
    const records = children.flatMap((child) =>
      Array.isArray(child.value) ? [] : [{ fields: fieldsOf(child.value), place: child.place }],
    )
    for (const [first, ...others] of Map.groupBy(records, ({ fields }) => fields.get('__typename') ?? '').values())
      if (first)
        yield {
          records: [first, ...others].map(({ fields }) => fields).filter((fields) => !isForeignType(fields)),
          place: first.place,
        }
    for (const child of children) stack.push(child)
  }
}

/** Returns the group with its name column; an empty list if the group has no name column. */
function withNames({ records, place }: Group): NamedGroup[] {
  const sample = records.slice(0, MAX_SAMPLE)
  const keys = [...new Set(sample.flatMap((fields) => [...fields.keys()]))]
  const names = keys.length < 2 ? undefined : nameColumnOf(sample, keys)
  return names ? [{ records, place, sample, keys, names }] : []
}

function peopleOfList({ records, place, sample, keys, names }: NamedGroup): ScriptPerson[] {
  const audience = areForeign(sample, keys) ? 'others' : audienceOf(place)
  const titleKey = audience === 'others' ? undefined : titleKeyOf(sample, names, keys, audience)
  if (titleKey === undefined) return []
  const isOwn = audience === 'own'
  const isKnown = TITLE_KEY.test(titleKey)
  const people = records.flatMap((fields): ScriptPerson[] => {
    const title = fields.get(titleKey)?.trim() ?? ''
    const name = names.read(fields)
    if (name === null || title === '' || title.length > MAX_TITLE_LENGTH) return []
    const email = fields.get('email') ?? fields.get('mail') ?? null
    return [{ name, title, email, confidence: isKnown ? 0.92 : UNSURE_CONFIDENCE, isOwn }]
  })
  if (isOwn || people.length >= ENOUGH) return people
  return people
    .filter(({ title }) => isKnown && scoreTitle(title) >= CERTAIN_TITLE)
    .map((person) => ({ ...person, confidence: UNSURE_CONFIDENCE }))
}

/** Returns the key whose values are most likely titles; undefined if there is none. */
function titleKeyOf(
  records: readonly Fields[],
  names: NameColumn,
  keys: readonly string[],
  audience: Audience,
): string | undefined {
  const named = records.filter((fields) => names.read(fields) !== null)
  if (named.length < records.length * MOST) return undefined
  const scores = keys
    .filter((key) => !names.keys.includes(key))
    .map((key) => ({ key, score: scoreColumn(named, key, audience) }))
    .toSorted((a, b) => b.score - a.score)
  return scores[0] && scores[0].score >= 0.5 ? scores[0].key : undefined
}

/**
 * Scores the likelihood that a field contains titles: the mean score of the field's values, plus a bonus for a known
 * key.
 */
function scoreColumn(records: readonly Fields[], key: string, audience: Audience): number {
  const values = records.map((fields) => fields.get(key) ?? '').filter((value) => value !== '')
  if (values.length < records.length / 2) return 0
  const mean = values.reduce((sum, value) => sum + titleScore(value), 0) / values.length
  return mean + (TITLE_KEY.test(key) && (audience === 'own' || !HEADLINE_KEY.test(key)) ? 0.3 : 0)
}
