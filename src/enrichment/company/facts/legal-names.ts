import { labelOf, squeeze } from '../own-name.ts'
import type { Features } from './decide.ts'
import { grams, lettersOf, spreadOf } from './features.ts'
import type { Mention } from './organisations.ts'
import { hasCityAfterForm, hasOnlyEnding, mentionsIn } from './organisations.ts'
import type { SiteText } from './site-text.ts'
import type { Statement } from './statements.ts'

/** An organization whose name includes a legal form, and all its mentions on the site. */
export interface LegalNameCandidate {
  name: string
  pages: Set<number>
  /** Whether at least one mention starts a line. */
  isBounded: boolean
  statement: Statement
  features: Features
}

/** Maximum number of names, because every name is compared with the others. */
const MAX_NAMES = 500

/** Finds the organizations on the site. `names` are the company's known names. */
export function legalNameCandidates(site: SiteText, names: readonly string[]): LegalNameCandidate[] {
  const seen = new Map<string, { mention: Mention; statement: Statement; before: string }[]>()
  for (const statement of site.statements)
    for (const mention of mentionsIn(statement.text)) {
      const before = statement.text.slice(0, mention.start)
      const key = squeeze(mention.name)
      const known = seen.get(key)
      if (known) known.push({ mention, statement, before })
      else if (seen.size < MAX_NAMES) seen.set(key, [{ mention, statement, before }])
    }
  const isBounded = (key: string): boolean =>
    (seen.get(key) ?? []).some(({ before }) => /(?:^|[©|·•–—:,;.(„“"-]|\d)\s*$/u.test(before))
  const isProse = (key: string): boolean => lowerWords(seen.get(key)?.[0]?.mention.name ?? '') > 1
  const keys = [...seen.keys()]
  const label = labelOf(site.domain)
  const wholes = names.map(squeeze).filter(({ length }) => length > 1)
  return keys.flatMap((key) => {
    const all = seen.get(key) ?? []
    const [first] = all
    // If a mention has several readings, use the one that fills a whole line elsewhere, or else the longest one. Keep
    // the shorter one too if the longest contains a clause, as in `This site is operated by Acme Limited`.
    const shorter = keys.filter((other) => other !== key && key.endsWith(other) && isBounded(other))
    const longer = keys.filter((other) => other !== key && other.endsWith(key))
    const isOwnStart = wholes.some((whole) => key.startsWith(whole))
    if (!first || (!isBounded(key) && !isOwnStart && (shorter.length > 0 || longer.some((other) => !isProse(other)))))
      return []
    const written = all.map(({ mention }) => mention.name).toSorted((a, b) => scoreOf(b) - scoreOf(a))[0] as string
    const pages = new Set(all.map(({ statement }) => statement.page))
    const words = written.split(/[\s,]+/u).map(squeeze)
    const shared = wholes.some((whole) => key.includes(whole))
    const nameWords = [...names, ...wholes]
      .flatMap((name) => name.split(/[\s,]+/u).map(squeeze))
      .filter(({ length }) => length > 3)
    const shapes = [
      shared ? 'has the name' : 'no name',
      ...(isOwnStart ? ['starts with the name'] : []),
      ...(hasCityAfterForm(written) ? ['city after the form'] : []),
      `lower-case words ${Math.min(lowerWords(written), 2)}`,
      ...(nameWords.some((word) => words.includes(word)) ? ['shares a word'] : []),
      ...(label.length > 2 && (key.includes(label) || words.some((word) => word.length > 3 && label.includes(word)))
        ? ['in domain']
        : []),
      spreadOf(site, pages),
      ...(names.length === 0 ? ['unnamed site'] : []),
      ...new Set(all.map(({ statement }) => `area ${statement.area}`)),
      ...(all.some(({ before }) => /(?:©|\(c\)|copyright)[\s\d–—,-]*$/iu.test(before)) ? ['after copyright'] : []),
      ...(all.some(({ before, statement }) => before.trim() === '' && statement.label === '') ? ['starts a line'] : []),
      ...(all.some(({ before }) => /\([^)]*$/u.test(before)) ? ['in parentheses'] : []),
      ...(pages.has(0) ? ['home'] : []),
      ...(hasOnlyEnding(written) ? ['ending without a form'] : []),
      ...(keys.some((other) => other !== key && other.startsWith(key)) ? ['longer elsewhere'] : []),
    ]
    const near = all
      .slice(0, 8)
      .flatMap(({ before, statement }) => [
        ...grams('B', lettersOf(before).slice(-4)),
        ...grams('K', lettersOf(statement.label).slice(0, 4)),
      ])
    const features = { shapes, words: near }
    return [{ name: written, pages, isBounded: isBounded(key), statement: first.statement, features }]
  })
}

/** Prefers mixed case to capitals, and spellings with a final dot to spellings without one. */
const scoreOf = (name: string): number => (name === name.toUpperCase() ? 0 : 2) + (name.endsWith('.') ? 1 : 0)

/** Returns the number of lower-case words in a name, except short ones such as `of` and `and`. */
const lowerWords = (name: string): number => (name.match(/(?<!\S)\p{Ll}[\p{L}’']{3,}/gu) ?? []).length
