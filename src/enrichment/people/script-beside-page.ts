import { foldAccents } from '../../lib/fold-accents.ts'
import type { Page } from '../extract/page.ts'
import { textOf } from '../extract/page.ts'
import { parseName } from './names/parse-name.ts'
import { nameKey } from './page/name-key.ts'
import type { PagePerson } from './page/page-people.ts'
import { strongestWords, wordsOf } from './page/surroundings.ts'
import type { ScriptPerson } from './script-people.ts'

/** A page with at least this many visible people is assumed to show all its people without scripts. */
const ENOUGH = 2

/**
 * Reconciles the people in script data with the people visible on the page. If the page shows people, the layout takes
 * precedence for lists that are not known to contain the company's people, and if the page's path indicates that the page
 * is about other people, such lists are skipped. Names of people who are visible on the page are spelled as on the page.
 */
export function reconcileWithPage(
  people: readonly ScriptPerson[],
  shown: readonly PagePerson[],
  page: Page,
): ScriptPerson[] {
  const used = isAboutOthers(page) ? people.filter(({ isOwn }) => isOwn) : people
  if (used.length === 0 || shown.length === 0) return [...used]
  const byName = new Map(shown.map((one) => [nameKey(one.name), one.name]))
  const bySpelling = new Map(shown.map((one) => [spellingKey(one), one.name]))
  const text = textOf(page.$('body')).toLowerCase()
  return used.flatMap((person): ScriptPerson[] => {
    const same = byName.get(nameKey(person.name))
    if (same !== undefined) return [{ ...person, name: same }]
    if (!person.isOwn && shown.length >= ENOUGH) return []
    const other = text.includes(person.name.toLowerCase()) ? undefined : bySpelling.get(spellingKey(person))
    return [{ ...person, name: other ?? person.name }]
  })
}

/** Minimum and maximum probabilities of words in the path of a page about other people. */
const OTHERS = 0.68
const OWN = 0.4

function isAboutOthers({ url }: Page): boolean {
  const { own, others } = strongestWords(wordsOf(new URL(url).pathname))
  return others > OTHERS && own < OWN
}

/**
 * Returns a key for all spellings of a person's name: the family name, the first letter of the first name, and the
 * title.
 */
function spellingKey({ name, title }: { name: string; title: string | null }): string {
  const parsed = parseName(name)
  const first = plainLetters(parsed?.first_name ?? name).charAt(0)
  return [first, plainLetters(parsed?.last_name ?? name), plainLetters(title ?? '')].join('|')
}

/** Returns lower-case letters, folded so that `Müller`, `Mueller` and `Muller` are equal. */
const plainLetters = (text: string): string =>
  foldAccents(text)
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('đ', 'd')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replace(/([aou])e/gu, '$1')
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
