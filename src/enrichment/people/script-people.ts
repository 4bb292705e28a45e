import type { NameColumn } from './script-records.ts'
import { fieldsOf, nameColumnOf } from './script-records.ts'
import { scoreTitle } from './titles/score-title.ts'

/** A person found in the data embedded in a page's scripts. */
export interface ScriptPerson {
  name: string
  title: string
  email: string | null
  confidence: number
}

type Fields = Map<string, string>

/** Matches keys of titles. They raise the confidence; other keys are recognized by their values. */
const TITLE_KEY =
  /^(?:(?:job|staff|member)?_?(?:title|role|position)s?|designation|occupation|function|jobrole|cargo|puesto|fonction|poste|funktion|functie|rolle?|roll|ruolo|stanowisko|pozice|beosztas|gorev|unvan)$/i
/** Matches the keys of lists with people outside the company, former people and pets. */
const FOREIGN_KEY =
  /testimon|quote|review|autor|author|auteur|client|customer|kunde|speaker|alumni|former|^ex[A-Z_-]|ehemalig|antigu|ancien|investor|post|article|blog|event|episode|guest|comment|partner_?logos?|case_?stud|opini|t[ée]moign|depoiment|citat|zitat|stimmen|kundord|recens|referen[zc]|mascot|^pets?$|^dogs$/i
/** Matches fields that occur in records of customers and authors. */
const FOREIGN_FIELD =
  /^(?:company|org|organi[sz]ation|employer|quote|rating|stars|review|excerpt|published\w*|date|price)$/i
const MAX_NODES = 100_000
const MAX_DEPTH = 40
/** Maximum number of records by which the columns of a list are recognized. */
const MAX_SAMPLE = 50
const MAX_TITLE_LENGTH = 140
/** Minimum number of people with titles in a list whose title key is unknown. */
const ENOUGH = 2
/** Minimum share of the records of a list that are people. */
const MOST = 0.6

/**
 * Finds people in lists of similar records in which one field, or two fields together, contain names and another field
 * contains titles. The fields are recognized by their values, whatever their keys are.
 */
export function readScriptPeople(data: readonly unknown[]): ScriptPerson[] {
  const people = new Map<string, ScriptPerson>()
  const stack: { value: unknown; key: string; depth: number }[] = data.map((value) => ({ value, key: '', depth: 0 }))
  for (let next = stack.pop(), nodes = 0; next && nodes < MAX_NODES; next = stack.pop(), nodes++) {
    const { value, key, depth } = next
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || FOREIGN_KEY.test(key)) continue
    const children = Object.entries(value)
    for (const person of peopleIn(children.map(([, child]) => child)))
      if (!people.has(person.name)) people.set(person.name, person)
    for (const [name, child] of children)
      stack.push({ value: child, key: Array.isArray(value) ? key : name, depth: depth + 1 })
  }
  return [...people.values()]
}

/** Finds people among sibling records of the same type. */
function peopleIn(siblings: readonly unknown[]): ScriptPerson[] {
  const records = siblings.flatMap((one) =>
    typeof one === 'object' && one !== null && !Array.isArray(one) ? [fieldsOf(one)] : [],
  )
  const byType = Map.groupBy(records, (fields) => fields.get('__typename') ?? '')
  return [...byType.values()].flatMap(peopleOfGroup)
}

function peopleOfGroup(records: readonly Fields[]): ScriptPerson[] {
  const sample = records.slice(0, MAX_SAMPLE)
  const keys = new Set(sample.flatMap((fields) => [...fields.keys()]))
  if (keys.size < 2 || [...keys].some((key) => FOREIGN_FIELD.test(key))) return []
  const names = nameColumnOf(sample, [...keys])
  if (!names) return []
  const titleKey = titleKeyOf(sample, names, [...keys])
  if (titleKey === undefined) return []
  const isKnown = TITLE_KEY.test(titleKey)
  const people = records.flatMap((fields): ScriptPerson[] => {
    const title = fields.get(titleKey)?.trim() ?? ''
    const name = names.read(fields)
    if (name === null || title === '' || title.length > MAX_TITLE_LENGTH) return []
    const email = fields.get('email') ?? fields.get('mail') ?? null
    return [{ name, title, email, confidence: isKnown ? 0.92 : 0.75 }]
  })
  return people.length >= ENOUGH || isKnown ? people : []
}

/** Returns the key whose values are most likely titles; undefined if there is none. */
function titleKeyOf(records: readonly Fields[], names: NameColumn, keys: readonly string[]): string | undefined {
  const named = records.filter((fields) => names.read(fields) !== null)
  if (named.length < records.length * MOST) return undefined
  const scores = keys
    .filter((key) => !names.keys.includes(key))
    .map((key) => ({ key, score: titleScore(named, key) }))
    .toSorted((a, b) => b.score - a.score)
  return scores[0] && scores[0].score >= 0.5 ? scores[0].key : undefined
}

/** Scores how likely a field contains titles: the mean score of its values, plus a bonus for a known key. */
function titleScore(records: readonly Fields[], key: string): number {
  const values = records.map((fields) => fields.get(key) ?? '').filter((value) => value !== '')
  if (values.length < records.length / 2) return 0
  const mean = values.reduce((sum, value) => sum + scoreTitle(value), 0) / values.length
  return mean + (TITLE_KEY.test(key) ? 0.3 : 0)
}
