import { textOf, tidy } from '../../extract/page.ts'
import { escapePattern, readAlternatives } from '../../vocabulary/read-words.ts'
import { copyrightHolder, hasLegalForm, withoutLegalForm } from '../legal-name.ts'
import { nameParts } from '../names.ts'
import { labelOf, squeeze } from '../own-name.ts'
import type { Features } from './decide.ts'
import { grams, lettersOf } from './features.ts'
import { kindWord } from './kind-words.ts'
import { mentionsIn } from './organisations.ts'
import type { SiteText } from './site-text.ts'

const SEPARATOR =
  /\s+[|·•–—:«»~/›>-]+\s+|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[-–—]|\s*[|｜–—：]\s*|:\s+/u
const MAX_LENGTH = 60
const MAX_TEXT = 400
const MAX_CANDIDATES = 120
/** Maximum number of different texts that are collected, and of characters in which they are counted. */
const MAX_FOUND = 250
const MAX_VISIBLE = 100_000
/** Minimum length of a sentence after the name. */
const MIN_SENTENCE = 15

/** Matches an article or preposition, which starts labels of links such as `Die Klinik` and `Over Acme`. */
const ARTICLE =
  /^(?:the|our|about|die|der|das|unsere?|über|la|le|les|l'|nos|notre|el|los|las|il|lo|gli|de|het|onze|over|o|a|os|as|om|o nás|о)\s/iu

/** A text that may be the company's name. */
export interface NameCandidate {
  name: string
  features: Features
}

type Source =
  | 'title'
  | 'whole title'
  | 'first of the title'
  | 'last of the title'
  | 'copyright'
  | 'home link'
  | 'logo'
  | 'site name'
  | 'stated'
  | 'heading'
  | 'home heading'
  | 'legal name'
  | 'header'
  | 'whole line'
  | 'short form'
  | 'subject form'
  | 'before a place'

interface Written {
  /** Spellings, and how often each occurs. */
  written: Map<string, number>
  /** Pages by source. */
  sources: Map<Source, Set<number>>
}

/**
 * Finds texts that may be the company's name: parts of titles, the texts of links to the home page, logos, copyright
 * notices, headings, structured data (`stated`), and the names of organizations without their legal form.
 */
export function nameCandidates(site: SiteText, stated: readonly string[]): NameCandidate[] {
  const found = collect(site, stated)
  const label = labelOf(site.domain)
  const texts = [...new Set(site.statements.filter(({ text }) => text.length <= MAX_TEXT).map(({ text }) => text))]
  const visible = texts.join('\n').slice(0, MAX_VISIBLE)
  const legal = site.statements
    .slice(0, 2000)
    .flatMap(({ text }) => mentionsIn(text).map(({ name }) => squeeze(withoutForm(name))))
    .filter(({ length }) => length > 2)
  addShortForms(found, visible, texts)
  const counts = new Map([...found.values()].map((one) => [one, countOf(visible, [...one.written.keys()])]))
  const most = Math.max(1, ...counts.values())
  const all = [...found].slice(0, MAX_CANDIDATES)
  const subjects = new Set(
    all.flatMap(([, one]) => (texts.some((text) => isSubject(text, [...one.written.keys()])) ? [one] : [])),
  )
  const titles = site.titles.filter(Boolean).length
  /** Counts in which of the two places that identify a site, links to the home page and titles, a name is usual. */
  const identityOf = ({ sources }: Written): number =>
    [
      [sources.get('home link')?.size ?? 0, site.pages.length],
      [sources.get('title')?.size ?? 0, titles],
    ].filter(([count = 0, total = 0]) => count > 0 && count * 2 >= total).length
  return all.map(([key, one]) => {
    const spellings = [...one.written].toSorted((a, b) => shoutOf(a[0]) - shoutOf(b[0]) || b[1] - a[1])
    const [name = ''] = spellings[0] ?? []
    const pagesOf = (source: Source): number => one.sources.get(source)?.size ?? 0
    const within = all.filter(([other]) => other !== key && other.includes(key))
    const parts = all.filter(([other]) => other !== key && other.length > 2 && key.includes(other))
    const agrees = agreement(name, key, label)
    const share = shareOf(pagesOf('title'), titles)
    const sources = [...one.sources.keys()]
    const words = name.split(/\s+/u)
    const letters = lettersOf(name)
    const own = legal.filter((text) => text.includes(key))
    const count = counts.get(one) ?? 0
    // A name that never occurs without its legal form may not be the one that the company uses.
    const hasOnlyForm = within.some(
      ([, other]) => extraOf(name, other) === 'a form' && (counts.get(other) ?? 0) >= count,
    )
      ? ' with a form'
      : ''
    const strong = (other: Written): string[] => STRONG.filter((source) => other.sources.has(source))
    const shapes = [
      ...sources.flatMap((source) => [source, `${source} and domain ${agrees}`]),
      `domain ${agrees}${hasOnlyForm}`,
      `titles ${share}`,
      `titles ${share} and domain ${agrees}`,
      `sources ${Math.min(sources.length, 6)}`,
      `home links ${shareOf(pagesOf('home link'), site.pages.length)}`,
      `copyright ${shareOf(pagesOf('copyright'), site.pages.length)}`,
      `words ${Math.min(words.length, 7)}`,
      `count ${Math.min(5, Math.ceil(Math.log2(count + 1)))}`,
      `count share ${Math.ceil((4 * count) / most)}`,
      own.length === 0
        ? 'in no legal name'
        : own.some((text) => text === key)
          ? 'is a legal name'
          : own.some((text) => text.startsWith(key))
            ? 'starts a legal name'
            : 'in a legal name',
      ...(hasLegalForm(name) || mentionsIn(name).length > 0 ? ['has a form'] : []),
      ...(within.length > 0
        ? ['in a longer one', ...within.flatMap(([, other]) => strong(other)).map((source) => `longer: ${source}`)]
        : []),
      ...(parts.length > 0
        ? ['contains one', ...parts.flatMap(([, other]) => strong(other)).map((source) => `shorter: ${source}`)]
        : []),
      ...(parts.some(([other]) => agreement(other, other, label) === 'equal') ? ['shorter is the domain'] : []),
      ...(within.some(([other]) => agreement(other, other, label) === 'equal') ? ['longer is the domain'] : []),
      ...(followedBy(visible, name) > 0.6 ? ['continues in texts'] : []),
      ...(words.length > 1 && countOf(visible, [words.at(-1) as string]) > count ? ['last word elsewhere'] : []),
      ...(words.length > 1 && countOf(visible, [words[0] as string]) > count ? ['first word elsewhere'] : []),
      ...(words.length > 1 && isPlace(words.at(-1) as string, visible) ? ['ends with a place'] : []),
      ...(ARTICLE.test(name) ? [`article and ${Math.min(words.length, 3)} words`] : []),
      ...(/[,.;:!?(]/u.test(name) ? ['punctuation'] : []),
      ...(/\p{N}/u.test(name) ? ['digits'] : []),
      ...(shoutOf(name) > 0 ? ['capitals'] : []),
      ...(/^\p{Ll}/u.test(name) ? ['starts in lower case'] : []),
      ...(words.length > 1 && words.slice(1).every((word) => /^\p{Ll}/u.test(word)) ? ['sentence case'] : []),
      ...(isForeignScript(name, visible) ? ['other script'] : []),
      ...(/\p{Script=Latin}/u.test(name) && /\p{Lo}/u.test(name) ? ['two scripts'] : []),
      ...(subjects.has(one) ? ['subject'] : []),
      ...within.flatMap(([longer, other]) => {
        const extra = extraOf(name, other)
        return [
          ...(subjects.has(other) ? ['longer is a subject'] : []),
          ...strong(other).map((source) => `longer ${extra}: ${source}`),
          ...(longer.startsWith(key) ? [`continues with ${extra}`] : []),
        ]
      }),
      ...parts.flatMap(([shorter, other]) => {
        const extra = extraOf(name, other)
        return [
          ...(subjects.has(other) ? ['shorter is a subject'] : []),
          ...strong(other).map((source) => `shorter ${extra}: ${source}`),
          ...(key.startsWith(shorter) ? [`adds ${extra}`] : []),
        ]
      }),
      ...(words.length > 1
        ? [`first ${kindWord(words[0] as string)}`, `last ${kindWord(words.at(-1) as string)}`]
        : []),
      `identity ${identityOf(one)}${hasOnlyForm}`,
      ...(parts.some(([, other]) => identityOf(other) > identityOf(one)) ? [`shorter identifies${hasOnlyForm}`] : []),
      ...(within.some(([, other]) => identityOf(other) > identityOf(one)) ? ['longer identifies'] : []),
      site.pages.length === 1 ? 'one page' : 'pages',
    ]
    return {
      name,
      features: {
        shapes: [...new Set(shapes)],
        words: [
          ...grams('N', letters.slice(0, 6)),
          ...grams('A', letters.slice(0, 1)),
          ...grams('Z', letters.slice(-1)),
        ],
      },
    }
  })
}

/** Sources that rarely contain other texts than names. */
const STRONG: readonly Source[] = [
  'home link',
  'logo',
  'site name',
  'stated',
  'title',
  'copyright',
  'first of the title',
  'legal name',
  'header',
]

function collect(site: SiteText, stated: readonly string[]): Map<string, Written> {
  const label = labelOf(site.domain)
  const found = new Map<string, Written>()
  const add = (text: string, source: Source, page: number): void => {
    const name = text
      .replace(/^[\p{So}\s]+|[\p{So}\s:/]+$/gu, '')
      .replace(/\s+/gu, ' ')
      .trim()
    const key = squeeze(name)
    if (key.length < 2 || name.length > MAX_LENGTH || /^[\p{N}\s]+$/u.test(name)) return
    const one = found.get(key) ?? { written: new Map(), sources: new Map() }
    if (found.size >= MAX_FOUND && !found.has(key)) return
    one.written.set(name, (one.written.get(name) ?? 0) + 1)
    one.sources.set(source, (one.sources.get(source) ?? new Set()).add(page))
    found.set(key, one)
    // In two scripts, either part may be the name.
    const latin = /^(?<other>[\p{Lo}\p{M}・ー·\s]{2,}?)\s*[（(]?(?<latin>\p{Script=Latin}.*?)[)）]?$/u.exec(
      name,
    )?.groups
    if (latin) for (const part of Object.values(latin)) if (part !== name) add(part as string, source, page)
  }
  const addAll = (text: string, source: Source, page: number): void => {
    for (const part of nameParts(text, label)) {
      add(part, source, page)
      add(withoutForm(part), source, page)
    }
  }
  site.titles.forEach((title, page) => {
    const pieces = title.split(SEPARATOR).filter(Boolean)
    for (const part of new Set(pieces.flatMap((piece) => nameParts(piece, label)))) {
      add(part, 'title', page)
      if (withoutForm(part) !== part) add(withoutForm(part), 'title', page)
    }
    if (page === 0 && pieces.length === 1) addAll(pieces[0] as string, 'whole title', page)
    if (page > 0 || pieces.length < 2) return
    addAll(pieces[0] as string, 'first of the title', page)
    addAll(pieces.at(-1) as string, 'last of the title', page)
  })
  site.pages.forEach(({ $ }, page) => {
    for (const link of $('a[href="/"], a[href="./"], a[href="index.html"], [class*="logo" i], [class*="brand" i]')
      .slice(0, 6)
      .toArray()) {
      add(textOf(link), 'home link', page)
      add(withoutForm(textOf(link)), 'home link', page)
      for (const image of $(link).find('img[alt]').slice(0, 2).toArray())
        add(($(image).attr('alt') ?? '').replace(/\s*\blogo\b\s*/giu, ' '), 'logo', page)
    }
    for (const meta of $('meta[property="og:site_name" i], meta[name="application-name" i]').slice(0, 2).toArray())
      addAll(tidy($(meta).attr('content') ?? ''), 'site name', page)
    for (const heading of $('h1').slice(0, 2).toArray())
      addAll(textOf(heading), page === 0 ? 'home heading' : 'heading', page)
  })
  for (const name of stated) addAll(name, 'stated', 0)
  for (const { text, page, area } of site.statements) {
    if (/©|\(c\)|copyright/i.test(text)) addAll(copyrightHolder(text).replace(/\.$/u, ''), 'copyright', page)
    if (text.length > MAX_TEXT || area === 'script') continue
    for (const { name } of mentionsIn(text)) add(withoutForm(name), 'legal name', page)
    if (text.length <= MAX_LENGTH && found.has(squeeze(text)))
      add(text, area === 'header' ? 'header' : 'whole line', page)
  }
  return found
}

/**
 * Adds the starts of names that the texts use more often than the whole name, or as a subject, as in `Acme` for
 * `Acme Tool & Die`.
 */
function addShortForms(found: Map<string, Written>, visible: string, texts: readonly string[]): void {
  for (const { written, sources } of [...found.values()]) {
    if (!NAMING.some((source) => sources.has(source))) continue
    const [name = ''] = written.keys()
    const words = name.split(' ')
    for (let count = words.length - 1; count > 0; count--) {
      const short = words
        .slice(0, count)
        .join(' ')
        .replace(/[,;:·|–—-]+$|\s+(?:\p{Ll}{1,4}|&)$/gu, '')
        .trim()
      const key = squeeze(short)
      const isBeforePlace = count === words.length - 1 && isPlace(words[count] as string, visible)
      if (key.length < 3 || short === name) continue
      const isFrequent = countOf(visible, [short]) >= countOf(visible, [name]) + 2
      if (!isBeforePlace && !isFrequent && !texts.some((text) => isSubject(text, [short]))) continue
      const one = found.get(key) ?? { written: new Map([[short, 1]]), sources: new Map() }
      one.sources.set(isBeforePlace ? 'before a place' : isFrequent ? 'short form' : 'subject form', new Set([0]))
      found.set(key, one)
    }
  }
}

/** Returns what the longer of two names adds to the shorter one. */
function extraOf(name: string, { written }: Written): string {
  const [other = ''] = written.keys()
  const [longer, shorter] = name.length > other.length ? [name, other] : [other, name]
  const known = new Set(shorter.split(/[\s,]+/u).map(squeeze))
  const extra = longer.split(/[\s,]+/u).filter((word) => !known.has(squeeze(word)))
  if (extra.length === 0) return 'nothing'
  const size = Math.min(extra.length, 3)
  if (withoutForm(longer) === shorter) return 'a form'
  return `${size} ${extra.some((word) => kindWord(word) !== 'none') ? 'kind' : extra.some((word) => /^\p{Lu}/u.test(word)) ? 'name' : 'other'}`
}

/** Returns whether a word follows a postal code or a comma in the texts, as the city in an address does. */
const isPlace = (word: string, texts: string): boolean =>
  /^\p{Lu}\p{L}{2,}/u.test(word) && new RegExp(`(?:\\d{4}\\s|,\\s)${escapePattern(word)}(?![\\p{L}])`, 'u').test(texts)

/** Sources of names of the company. */
const NAMING: readonly Source[] = ['home link', 'logo', 'site name', 'stated', 'copyright', 'legal name', 'title']

/** Returns how a name agrees with the domain. */
function agreement(name: string, key: string, label: string): string {
  const bare = squeeze(withoutLegalForm(name))
  if (label.length < 3) return 'none'
  if (key === label || bare === label || squeeze(name.replaceAll('&', ' ')) === label) return 'equal'
  const latin = inLatin(key)
  if (latin === label) return 'equal'
  if (key.length > 3 && label.startsWith(key)) return 'starts the domain'
  if (label.length > 3 && key.startsWith(label)) return 'starts with the domain'
  if (label.length > 3 && key.includes(label)) return 'contains the domain'
  if (key.length > 3 && label.includes(key)) return 'in the domain'
  const words = name.split(/[\s-]+/u).map(squeeze)
  if (words.length > 1 && words.every((word) => word.length < 3 || label.includes(word))) return 'words in the domain'
  const initials = words.map((word) => word[0] ?? '').join('')
  if (initials.length > 2 && initials === label) return 'initials'
  if (words.some((word) => word.length > 3 && label.includes(word))) return 'shares a word'
  let shared = 0
  while (shared < latin.length && latin[shared] === label[shared]) shared++
  return shared >= 4 ? 'shares a start' : 'none'
}

const shareOf = (count: number, total: number): string =>
  count === 0 ? 'none' : count === 1 ? 'one' : count >= total - 1 ? 'all' : count * 2 >= total ? 'most' : 'some'

/** Returns how often one of the spellings occurs in a text. */
function countOf(text: string, spellings: readonly string[]): number {
  let count = 0
  for (const spelling of spellings)
    for (let at = text.indexOf(spelling); at >= 0 && count < 40; at = text.indexOf(spelling, at + spelling.length)) {
      const isWord =
        !/[\p{Lu}\p{Ll}]/u.test(text[at - 1] ?? '') && !/[\p{Lu}\p{Ll}]/u.test(text[at + spelling.length] ?? '')
      if (isWord || /\p{Lo}/u.test(spelling)) count++
    }
  return count
}

/** Returns the share of a name's occurrences that are followed by another capitalized word. */
function followedBy(text: string, name: string): number {
  let count = 0
  let followed = 0
  for (let at = text.indexOf(name); at >= 0 && count < 40; at = text.indexOf(name, at + name.length)) {
    count++
    if (/^\s(?:& )?\p{Lu}\p{L}/u.test(text.slice(at + name.length, at + name.length + 5))) followed++
  }
  return count < 2 ? 0 : followed / count
}

/** Returns whether a name is written in Latin letters although most of the text is not, or the other way round. */
function isForeignScript(name: string, text: string): boolean {
  const sample = text.slice(0, 4000)
  const latin = (sample.match(/\p{Script=Latin}/gu) ?? []).length
  const others = (sample.match(/\p{L}/gu) ?? []).length - latin
  return /^[^\p{L}]*\p{Script=Latin}/u.test(name) ? others > latin : /\p{L}/u.test(name) && latin > others
}

/** Latin letters for Greek and Cyrillic ones, as in domains. */
const LATIN: Readonly<Record<string, string>> = Object.fromEntries(
  'α a,β v,γ g,δ d,ε e,ζ z,η i,θ th,ι i,κ k,λ l,μ m,ν n,ξ x,ο o,π p,ρ r,σ s,ς s,τ t,υ y,φ f,χ ch,ψ ps,ω o,а a,б b,в v,г g,ґ g,д d,е e,є ie,ё e,ж zh,з z,и i,і i,ї i,й i,к k,л l,м m,н n,о o,п p,р r,с s,т t,у u,ф f,х kh,ц ts,ч ch,ш sh,щ shch,ъ a,ы y,ь ,э e,ю yu,я ya,ł l,ø o,đ d,ı i,ß ss,æ ae,œ oe'
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
)
const inLatin = (text: string): string => [...text].map((letter) => LATIN[letter] ?? letter).join('')

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

const CJK_FORM =
  '株式会社|有限会社|合同会社|股份有限公司|有限责任公司|有限責任公司|有限公司|주식회사|유한회사|㈜|\\(주\\)|재단법인|사단법인'
const CJK = new RegExp(`^(?:${CJK_FORM})\\s*|\\s*(?:${CJK_FORM})$`, 'gu')
const PREFIX = new RegExp(
  `^(?:${readAlternatives('companies/legal-form-prefixes')})\\s+(?=[„«"“]?[\\p{Lu}\\p{N}])`,
  'u',
)

/** Removes the legal form, unless the name consists only of the legal form. */
function withoutForm(name: string): string {
  const bare = withoutLegalForm(name.replace(CJK, '')).replace(PREFIX, '')
  // `&` before the form belongs to it, as in `Adeoye & Co`.
  return bare === '' || /(?:&|\+|und|and|et)$/u.test(bare) ? name : bare.replace(/^[„«"“](.+)[”»"“]$/u, '$1')
}
