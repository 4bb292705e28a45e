import { NO_PERSON_FIELDS } from '../../findings/person-fields.ts'
import type { Observation, PersonObservation } from '../../findings/provider.ts'
import { normalizePhone } from '../company/links.ts'
import { parseName } from '../people/names/parse-name.ts'
import { scoreName } from '../people/names/score-name.ts'
import { classifyTitle } from '../people/titles/classify-title.ts'

/** The people and facts in a model's response that also occur on the page. */
export interface ModelFindings {
  people: PersonObservation[]
  observations: Observation[]
}

interface Source {
  url: string
  /** The text that was sent to the model. */
  text: string
  observedAt: string
}

const METHOD = 'language-model'
const CONFIDENCE = 0.7
/** Minimum score of a name. Phrases that cannot be names are dropped, even if the page contains them literally. */
const NAME = 0.5
/** Maximum number of characters between a name and its title. */
const NEAR = 200
const MAX_VALUE = 140
const MAX_PEOPLE = 200
const EARLIEST_YEAR = 1500

/**
 * Returns the people and facts in a model's response that the page contains literally: plausible names, each with a
 * title near it, and facts in the expected format. Throws if the response is not a JSON object.
 */
export function quotedRecords(answer: unknown, source: Source): ModelFindings {
  if (typeof answer !== 'string') throw new Error('the answer is not a text')
  const parsed = parseJson(answer)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Error('the answer is not a JSON object')
  const { people, facts } = parsed as { people?: unknown; facts?: unknown }
  const text = plain(source.text)
  return {
    people: (Array.isArray(people) ? people : [])
      .slice(0, MAX_PEOPLE)
      .map((one) => quotedPerson(one, text, source))
      .filter((person) => person !== null),
    observations: quotedFacts(facts, text, source),
  }
}

const plain = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim()

/** Returns a string without surrounding white space; null if the value is not a string, is empty or is too long. */
function textAt(record: unknown, key: string): string | null {
  const value = typeof record === 'object' && record !== null ? (record as Record<string, unknown>)[key] : undefined
  const text = typeof value === 'string' ? plain(value) : typeof value === 'number' ? String(value) : ''
  return text === '' || text.length > MAX_VALUE ? null : text
}

/** Returns the offsets at which a value occurs in the text as whole words. */
function offsetsOf(text: string, value: string): number[] {
  const offsets: number[] = []
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1))
    if (!isLetter(text[at - 1], value[0]) && !isLetter(text[at + value.length], value.at(-1))) offsets.push(at)
  return offsets
}

/**
 * Returns whether the character next to a value belongs to the same word. Scripts without spaces have no word
 * boundaries.
 */
const isLetter = (beside: string | undefined, edge: string | undefined): boolean =>
  /[\p{L}\p{N}]/u.test(beside ?? '') &&
  !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(edge ?? '')

/**
 * Returns whether the text contains a number that is not part of a longer group of digits, such as a telephone number.
 */
const isWholeNumber = (text: string, value: string): boolean =>
  offsetsOf(text, value).some(
    (at) =>
      !/[\d+][\s.,/()-]?$/.test(text.slice(Math.max(0, at - 2), at)) &&
      !/^[\s.,/()-]?\d/.test(text.slice(at + value.length, at + value.length + 2)),
  )

function quotedPerson(record: unknown, text: string, { url, observedAt }: Source): PersonObservation | null {
  const [name, title] = [textAt(record, 'name'), textAt(record, 'title')]
  if (name === null || title === null || scoreName(name) < NAME) return null
  const titles = offsetsOf(text, title)
  const isNear = offsetsOf(text, name).some((at) =>
    titles.some((other) => (other > at ? other - at - name.length : at - other - title.length) <= NEAR),
  )
  const parsed = isNear ? parseName(name) : null
  if (!parsed) return null
  return {
    source: 'website',
    url,
    observed_at: observedAt,
    method: METHOD,
    confidence: CONFIDENCE,
    ...NO_PERSON_FIELDS,
    full_name: parsed.full_name,
    first_name: parsed.first_name,
    last_name: parsed.last_name,
    title,
    ...classifyTitle(title),
  }
}

function quotedFacts(facts: unknown, text: string, { url, observedAt }: Source): Observation[] {
  const evidence = { source: 'website', url, observed_at: observedAt, method: METHOD, confidence: CONFIDENCE }
  const quoted = (key: string): string | null => {
    const value = textAt(facts, key)
    return value !== null && offsetsOf(text, value).length > 0 ? value : null
  }
  const number = (key: string): number | null => {
    const value = quoted(key)
    return value !== null && /^\d{1,7}$/.test(value) && isWholeNumber(text, value) ? Number(value) : null
  }
  const [legalName, city, phone] = [quoted('legal_name'), quoted('headquarters_city'), quoted('phone')]
  const international = phone?.startsWith('+') ? normalizePhone(phone, undefined) : undefined
  const [year, employees] = [number('founded_year'), number('employee_count')]
  const found: Observation[] = []
  if (legalName !== null) found.push({ ...evidence, field: 'legal_name', value: legalName })
  if (city !== null && !/\d/.test(city)) found.push({ ...evidence, field: 'headquarters_city', value: city })
  if (phone !== null && international) found.push({ ...evidence, field: 'phone', value: international, raw: phone })
  if (year !== null && year >= EARLIEST_YEAR && year <= Number(observedAt.slice(0, 4)))
    found.push({ ...evidence, field: 'founded_year', value: year })
  if (employees !== null && employees > 0) found.push({ ...evidence, field: 'employee_count', value: employees })
  return found
}

/** Parses JSON. The error does not quote the response, because logs must not contain names. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('the answer is not JSON')
  }
}
