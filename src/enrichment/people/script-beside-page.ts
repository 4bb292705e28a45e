import { foldAccents } from '../../lib/fold-accents.ts'
import type { Page } from '../extract/page.ts'
import { textOf } from '../extract/page.ts'
import { parseName } from './names/parse-name.ts'
import { nameKey } from './page/name-key.ts'
import type { PagePerson } from './page/page-people.ts'
import type { ScriptPerson } from './script-people.ts'

/** Minimum number of people on a page that shows its people without scripts. */
const ENOUGH = 2

/**
 * Excludes people in script data whom the page contradicts. If the page shows people, the layout decides about lists
 * that are not known to be of the company's people. Another spelling of a shown person with the same title is excluded.
 */
export function withoutContradicted(
  people: readonly ScriptPerson[],
  shown: readonly PagePerson[],
  page: Page,
): ScriptPerson[] {
  if (people.length === 0 || shown.length === 0) return [...people]
  const names = new Set(shown.map(({ name }) => nameKey(name)))
  const spellings = new Set(shown.map(spellingKey))
  const text = ` ${nameLetters(textOf(page.$('body')))} `
  return people.filter((person) => {
    if (names.has(nameKey(person.name))) return true
    if (!person.isOwn && shown.length >= ENOUGH) return false
    return !spellings.has(spellingKey(person)) || text.includes(` ${nameLetters(person.name)} `)
  })
}

const nameLetters = (text: string): string =>
  foldAccents(text)
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()

/** The family name, the first letter of the first name, and the title: the same for all spellings of a person. */
function spellingKey({ name, title }: { name: string; title: string | null }): string {
  const parsed = parseName(name)
  const first = nameLetters(parsed?.first_name ?? name).charAt(0)
  return [first, nameLetters(parsed?.last_name ?? name), nameLetters(title ?? '')].join('|')
}
