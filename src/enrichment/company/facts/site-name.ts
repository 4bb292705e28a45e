import { textOf } from '../../extract/page.ts'
import { copyrightHolder, withoutLegalForm } from '../legal-name.ts'
import { nameParts } from '../names.ts'
import { labelOf, squeeze } from '../own-name.ts'
import { mentionsIn } from './organisations.ts'
import type { SiteText } from './site-text.ts'

const SEPARATOR =
  /\s+[|·•–—:«»~/›>-]+\s+|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[-–—]|\s*[|｜–—：]\s*|:\s+/u
const MAX_LENGTH = 60
const MAX_TEXT = 400
const MAX_WORDS = 4
/** Minimum length of a sentence after the name. */
const MIN_SENTENCE = 15
/** Minimum score of a name. A name that matches the domain or occurs in most titles reaches this score. */
const ENOUGH = 1.5
/** Minimum score if only one page is known, so a title cannot repeat the name. */
const ENOUGH_OF_PAGE = 2

/**
 * Finds the company's name by how often it occurs in titles, the home page link, logos, structured data and the domain.
 * Works in all scripts, because the name does not have to resemble the domain.
 */
export function siteName(site: SiteText, stated: readonly string[]): { name: string; points: number } | undefined {
  const label = labelOf(site.domain)
  const scores = new Map<string, { written: Map<string, number>; sources: Map<string, Set<number>> }>()
  const add = (text: string, source: string, page: number): void => {
    const name = text.replace(/\s+/gu, ' ').trim()
    const key = squeeze(name)
    if (key.length < 2 || name.length > MAX_LENGTH || /^[\p{N}\s]+$/u.test(name)) return
    const one = scores.get(key) ?? { written: new Map(), sources: new Map() }
    one.written.set(name, (one.written.get(name) ?? 0) + 1)
    one.sources.set(source, (one.sources.get(source) ?? new Set()).add(page))
    scores.set(key, one)
  }
  site.titles.forEach((title, page) => {
    const pieces = title.split(SEPARATOR).filter(Boolean)
    for (const part of new Set(pieces.flatMap((piece) => nameParts(piece, label)))) add(part, 'title', page)
    if (page === 0 && pieces.length > 1)
      for (const part of nameParts(pieces[0] as string, label)) add(part, 'first of the title', page)
  })
  for (const { text, page } of site.statements)
    if (/©|\(c\)|copyright/i.test(text))
      for (const part of nameParts(copyrightHolder(text).replace(/\.$/u, ''), label)) add(part, 'copyright', page)
  site.pages.forEach(({ $ }, page) => {
    for (const link of $('a[href="/"], a[href="./"], a[href="index.html"], [class*="logo" i], [class*="brand" i]')
      .slice(0, 6)
      .toArray()) {
      add(textOf(link), 'home link', page)
      for (const image of $(link).find('img[alt]').slice(0, 2).toArray())
        add(($(image).attr('alt') ?? '').replace(/\s*\blogo\b\s*/giu, ' '), 'logo', page)
    }
  })
  for (const name of stated) add(name, 'stated', 0)
  const legal = site.statements
    .flatMap(({ text }) => mentionsIn(text).map(({ name }) => squeeze(withoutForm(name))))
    .filter(({ length }) => length > 2)
  const mentioned = site.statements.filter(({ area, text }) => area !== 'script' && text.length <= MAX_TEXT)
  const titled = site.titles.filter(Boolean).length
  const ranked = [...scores].map(([key, { written, sources }]) => {
    const titles = sources.get('title')?.size ?? 0
    const bare = squeeze(withoutLegalForm([...written.keys()][0] ?? ''))
    const agrees =
      label.length > 2 &&
      (key === label ||
        bare === label ||
        squeeze([...written.keys()][0]?.replaceAll('&', ' ') ?? '') === label ||
        (key.length > 3 && label.startsWith(key)) ||
        (label.length > 3 && key.startsWith(label)))
    const points =
      (agrees ? 1.6 : isAkin(key, label) || isAkin(inLatin(key), label) ? 1.1 : 0) +
      (titled > 1 && titles > 1 ? (2 * titles) / titled : titles > 0 ? 0.5 : 0) +
      (sources.has('home link') ? 0.75 : 0) +
      (sources.has('logo') ? 0.5 : 0) +
      (sources.has('first of the title') ? 0.5 : 0) +
      (sources.has('copyright') ? (0.4 * (sources.get('copyright')?.size ?? 0)) / site.pages.length : 0) +
      (sources.has('stated') ? 1 : 0) +
      (key.length > 3 && legal.some((one) => one.includes(key)) ? 0.6 : 0) +
      (mentioned.some(({ area, text }) => area === 'header' && squeeze(text) === key) ? 0.5 : 0) +
      (mentioned.some(({ text }) => isSubject(text, [...written.keys()])) ? 0.4 : 0)
    const [name = ''] = [...written].toSorted((a, b) => shoutOf(a[0]) - shoutOf(b[0]) || b[1] - a[1])[0] ?? []
    return { name, points, isFirst: sources.has('first of the title') }
  })
  const [short] = ranked.toSorted((a, b) => b.points - a.points)
  // Logos and copyright notices often shorten the name that the title of the home page starts with.
  const whole = ranked.find(
    ({ name, isFirst }) =>
      isFirst && short && name !== short.name && isLonger(name, short.name) && name.split(' ').length <= MAX_WORDS,
  )
  const best = short && whole ? { ...whole, points: short.points } : short
  if (!best || best.points < (site.pages.length === 1 ? ENOUGH_OF_PAGE : ENOUGH)) return undefined
  const bare = withoutForm(best.name)
  // The legal form is kept unless the site also shows the name without it.
  const isShown =
    scores.has(squeeze(bare)) ||
    site.statements.some(({ text }) =>
      new RegExp(`${RegExp.escape(bare)}(?![\\p{L} ,]*${RegExp.escape(best.name.slice(-2))})`, 'u').test(text),
    )
  return isShown ? { ...best, name: bare } : best
}

/** Returns whether a name contains a domain, the domain contains the name, or both start with the same letters. */
function isAkin(key: string, label: string): boolean {
  if (label.length < 4 || key.length < 4) return false
  let shared = 0
  while (shared < key.length && key[shared] === label[shared]) shared++
  return key.includes(label) || label.includes(key) || (shared >= 6 && shared >= label.length * 0.7)
}

/** Latin letters for Greek and Cyrillic ones, as in domains. */
const LATIN: Readonly<Record<string, string>> = Object.fromEntries(
  'α a,β v,γ g,δ d,ε e,ζ z,η i,θ th,ι i,κ k,λ l,μ m,ν n,ξ x,ο o,π p,ρ r,σ s,ς s,τ t,υ y,φ f,χ ch,ψ ps,ω o,а a,б b,в v,г g,ґ g,д d,е e,є ie,ё e,ж zh,з z,и i,і i,ї i,й i,к k,л l,м m,н n,о o,п p,р r,с s,т t,у u,ф f,х kh,ц ts,ч ch,ш sh,щ shch,ъ a,ы y,ь ,э e,ю yu,я ya,ł l,ø o,đ d,ı i,ß ss,æ ae,œ oe'
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
)
const inLatin = (text: string): string => [...text].map((letter) => LATIN[letter] ?? letter).join('')

const isLonger = (name: string, short: string): boolean =>
  squeeze(name).length > squeeze(short).length && ` ${name.toLowerCase()} `.includes(` ${short.toLowerCase()} `)

/** Returns whether a sentence starts with one of the spellings of a name. */
const isSubject = (text: string, names: readonly string[]): boolean =>
  names.some(
    (name) =>
      text.length > name.length + MIN_SENTENCE &&
      text.startsWith(name) &&
      /^(?:\s\p{Ll}|[はがは是는은이가—–])/u.test(text.slice(name.length)),
  )

const shoutOf = (name: string): number =>
  name.length > 4 && name === name.toUpperCase() && name !== name.toLowerCase() ? 1 : 0

/** Removes the legal form, unless the name consists only of the legal form. */
function withoutForm(name: string): string {
  const [mention] = mentionsIn(name)
  return mention && /^(?:株式会社|有限会社|재단법인|주식회사|㈜|\(주\))/u.test(name)
    ? name.replace(/^(?:株式会社|有限会社|재단법인|주식회사|㈜|\(주\))\s*/u, '')
    : withoutLegalForm(name)
}
