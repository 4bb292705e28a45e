import { scoreName } from './names/score-name.ts'
import { scoreTitle } from './titles/score-title.ts'

/** A person found in the data embedded in a page's scripts. */
export interface ScriptPerson {
  name: string
  title: string
  email: string | null
  confidence: number
}

type Fields = Map<string, string>

/** Match the keys of names and titles in several languages. */
const NAME_KEY =
  /^(?:(?:full|display|person|member|staff)?_?name|title|nom(?:bre)?|nome|naam|navn|namn|nimi|imie|jmeno|nev|isim|ad_?soyad|heading)$/i
const TITLE_KEY =
  /^(?:(?:job|staff|member)?_?(?:title|role|position)s?|designation|occupation|function|jobrole|cargo|puesto|fonction|poste|funktion|functie|rolle?|roll|ruolo|stanowisko|pozice|beosztas|gorev|unvan|subtitle|sub_?heading)$/i
const FIRST_KEY = /^(?:first|given|fore)_?name$|^prenom$|^vorname$|^voornaam$/i
const LAST_KEY = /^(?:last|family|sur)_?name$|^nachname$|^achternaam$/i
/** Matches the keys of lists with people outside the company. */
const FOREIGN_KEY =
  /testimonial|quote|review|author|client|customer|speaker|alumni|former|investor|post|article|blog|event|episode|guest|comment|partner_?logos?|case_?stud/i
/** Matches fields that occur in records of customers and authors. */
const FOREIGN_FIELD = /^(?:company|organi[sz]ation|employer|quote|rating|stars|review|excerpt|published\w*|date)$/i
const MAX_NODES = 100_000
/** Minimum number of people with titles in a list whose title key is unknown. */
const ENOUGH = 2

/** Finds people in lists of similar records in which one field contains names and another field contains titles. */
export function readScriptPeople(data: readonly unknown[]): ScriptPerson[] {
  const people = new Map<string, ScriptPerson>()
  const stack: { value: unknown; key: string; depth: number }[] = data.map((value) => ({ value, key: '', depth: 0 }))
  for (let next = stack.pop(), nodes = 0; next && nodes < MAX_NODES; next = stack.pop(), nodes++) {
    const { value, key, depth } = next
    if (typeof value !== 'object' || value === null || depth > 40 || FOREIGN_KEY.test(key)) continue
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
  const keys = new Set(records.flatMap((fields) => [...fields.keys()]))
  if ([...keys].some((key) => FOREIGN_FIELD.test(key))) return []
  const named = records.filter((fields) => nameIn(fields) !== null)
  if (named.length === 0 || named.length < records.length * 0.6) return []
  const nameKeys = new Set(named.map((fields) => nameIn(fields)?.key))
  const titleKey = [...keys]
    .filter((key) => !nameKeys.has(key))
    .map((key) => ({ key, score: titleScore(named, key) }))
    .toSorted((a, b) => b.score - a.score)[0]
  if (!titleKey || titleKey.score < 0.5) return []
  const isKnown = TITLE_KEY.test(titleKey.key)
  const people = named.flatMap((fields): ScriptPerson[] => {
    const title = fields.get(titleKey.key)?.trim() ?? ''
    const name = nameIn(fields)?.name ?? ''
    if (title === '' || title.length > 140) return []
    const email = fields.get('email') ?? fields.get('mail') ?? null
    return [{ name, title, email, confidence: isKnown ? 0.92 : 0.75 }]
  })
  return people.length >= ENOUGH || isKnown ? people : []
}

/** Scores how likely a field contains titles: the mean score of its values, plus a bonus for a known key. */
function titleScore(records: readonly Fields[], key: string): number {
  const values = records.map((fields) => fields.get(key) ?? '').filter((value) => value !== '')
  if (values.length < records.length / 2) return 0
  const mean = values.reduce((sum, value) => sum + scoreTitle(value), 0) / values.length
  return mean + (TITLE_KEY.test(key) ? 0.3 : 0)
}

function nameIn(fields: Fields): { key: string; name: string } | null {
  const part = (pattern: RegExp) => [...fields].find(([key]) => pattern.test(key))?.[1].trim()
  const [first, last] = [part(FIRST_KEY), part(LAST_KEY)]
  if (first && last) return { key: '', name: `${first} ${last}` }
  for (const [key, value] of fields)
    if (NAME_KEY.test(key) && scoreName(value.trim()) >= 0.6) return { key, name: value.trim() }
  return null
}

/**
 * Reads the text fields of a record, including nested fields in objects such as `fields`, `attributes` and `node`,
 * which content management systems use.
 */
function fieldsOf(record: object): Fields {
  const fields: Fields = new Map()
  const add = (object: object, depth: number): void => {
    for (const [key, value] of Object.entries(object)) {
      if (typeof value === 'string' && value.length <= 2000 && !fields.has(key)) fields.set(key, value)
      else if (
        depth < 2 &&
        /^(?:fields|attributes|node|data|acf|content)$/.test(key) &&
        typeof value === 'object' &&
        value
      )
        add(value, depth + 1)
    }
  }
  add(record, 0)
  return fields
}
