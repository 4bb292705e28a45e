import { scoreName } from './names/score-name.ts'
import { isForeignKey } from './script-audience.ts'

/** A record's strings and numbers, by key. */
export type Fields = Map<string, string>

/** The field or fields that contain names in a list of records. */
export interface NameColumn {
  keys: readonly string[]
  /** Returns the name in a record; null if there is none. */
  read: (fields: Fields) => string | null
}

const FIRST_KEY =
  /^(?:first|given|fore)_?name$|^(?:prenom|vorname|voornaam|nombres?|nome|imie|fornavn|fornamn|etunimi|ad)$/i
const LAST_KEY =
  /^(?:last|family|sur)_?name$|^(?:nom|nachname|achternaam|apellidos?|sobrenome|cognome|nazwisko|etternavn|efternavn|efternamn|sukunimi|soyad)$/i
/** Minimum score of a name, and minimum share of records with a name. */
const NAME = 0.6
const MOST = 0.6
/** Maximum length of one part of a name, and maximum number of fields that are combined into a name. */
const MAX_PART = 40
const MAX_PARTS = 8
const MAX_TEXT = 2000
const MAX_DEPTH = 3
/** Fields whose nested objects do not describe the record itself, but a picture, a link or another record. */
const OTHER_THING = /^(?:image|img|photo|foto|picture|avatar|asset|media|seo|meta|slug|links?|author|parent|_\w+)$/i

/** Finds the field whose values are names, or two fields whose combined values are names. */
export function nameColumnOf(records: readonly Fields[], keys: readonly string[]): NameColumn | undefined {
  const first = keys.find((key) => FIRST_KEY.test(key))
  const last = keys.find((key) => LAST_KEY.test(key) && key !== first)
  const known = first !== undefined && last !== undefined ? [joined(first, last)] : []
  const best = (columns: readonly NameColumn[]): NameColumn | undefined =>
    columns
      .map((column) => ({ column, share: shareOfNames(records, column) }))
      .filter(({ share }) => share >= MOST)
      .toSorted((a, b) => b.share - a.share)[0]?.column
  const parts = keys.filter((key) => isPart(records, key)).slice(0, MAX_PARTS)
  return (
    best(known) ??
    best(keys.map(single)) ??
    best(parts.flatMap((one) => parts.filter((other) => other !== one).map((other) => joined(one, other))))
  )
}

const single = (key: string): NameColumn => ({
  keys: [key],
  read: (fields) => nameOrNull(fields.get(key)?.trim() ?? ''),
})

/**
 * A name column that combines first and last names. If one of the keys is unknown, the combined parts must look like a
 * name.
 */
const joined = (first: string, last: string): NameColumn => ({
  keys: [first, last],
  read: (fields) => {
    const parts = [fields.get(first)?.trim(), fields.get(last)?.trim()]
    if (!parts[0] || !parts[1]) return null
    const name = parts.join(' ')
    return FIRST_KEY.test(first) && LAST_KEY.test(last) ? name : nameOrNull(name)
  },
})

const nameOrNull = (text: string): string | null => (scoreName(text) >= NAME ? text : null)

/** Returns whether a field contains short capitalized strings that may be parts of names. */
const isPart = (records: readonly Fields[], key: string): boolean =>
  records.filter((fields) => /^\p{Lu}[\p{L}\p{M}'’. -]*$/u.test((fields.get(key) ?? '').slice(0, MAX_PART + 1)))
    .length >=
  records.length * MOST

function shareOfNames(records: readonly Fields[], column: NameColumn): number {
  const names = new Set(records.map(column.read).filter((name) => name !== null))
  // A field that repeats one name, such as an editor's name, does not contain the names of the records.
  return records.length === 0 ? 0 : names.size / records.length
}

/**
 * Reads a record's strings and numbers, including lists of strings and the values in nested objects such as `fields`,
 * `attributes` and `node`, which content management systems use.
 */
export function fieldsOf(record: object): Fields {
  const fields: Fields = new Map()
  const add = (object: object, depth: number): void => {
    for (const [key, value] of Object.entries(object)) {
      const text =
        Array.isArray(value) && value.length <= 3 && value.every((one) => typeof one === 'string')
          ? value.join(', ')
          : value
      if (typeof text === 'number' && !fields.has(key)) fields.set(key, String(text))
      else if (typeof text === 'string' && text.length <= MAX_TEXT && !fields.has(key)) fields.set(key, text)
      else if (
        depth < MAX_DEPTH &&
        typeof value === 'object' &&
        value &&
        !Array.isArray(value) &&
        !OTHER_THING.test(key) &&
        !isForeignKey(key)
      )
        add(value, depth + 1)
    }
  }
  add(record, 0)
  return fields
}
