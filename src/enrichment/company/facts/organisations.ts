import { readWords } from '../../vocabulary/read-words.ts'
import { isUsState } from '../countries.ts'

/** A mention of an organization whose name includes a legal form. */
export interface Mention {
  name: string
  /** Index of the mention's first character in the text. */
  start: number
  end: number
}

const key = (text: string): string => text.toLowerCase().replace(/[\s.,()]+/gu, '')
const SPELLED = new Set(readWords('companies/legal-forms'))
/** Words that end the names of organizations without a legal form. */
const ENDINGS = new Set([
  'Trust',
  'Association',
  'Society',
  'Institute',
  'Credit Union',
  'State Bank',
  'National Bank',
  'Cooperative',
  'Co-operative',
  '& Associates',
])
const FORMS = new Set([...SPELLED, ...ENDINGS].map(key))
const PREFIXES = new Set(readWords('companies/legal-form-prefixes').map(key))
const MAX_FORM_WORDS = 6
const MAX_PREFIX_WORDS = 4
const MAX_LINE_WORDS = 7
/** Returns whether a name ends with a word such as `Trust`, which is not a legal form. */
export const hasOnlyEnding = (name: string): boolean => [...ENDINGS].some((ending) => name.endsWith(` ${ending}`))

/** Returns whether a name repeats the company's city after its form, as in `Primer d.o.o. Novi Sad`. */
export const hasCityAfterForm = (name: string): boolean =>
  /\s(?:d\.o\.o\.?|d\.d\.?|a\.d\.?|ДООЕЛ|ДОО|АД)\s\p{Lu}/u.test(name)

/** Matches legal forms that are written without a space before or after the name. */
const EAST_ASIAN =
  /(?:(?:財團法人|社團法人|财团法人|株式会社|有限会社|合同会社|合資会社|合名会社|一般社団法人|一般財団法人|公益財団法人|公益社団法人|社会福祉法人|医療法人(?:社団)?|学校法人|宗教法人|特定非営利活動法人|NPO法人|税理士法人|弁護士法人|監査法人|司法書士法人|農事組合法人|재단법인|사단법인|주식회사|유한회사|의료법인|농업회사법인|법무법인(?:\s?\(유한\))?|영농조합법인|사회복지법인|특허법인|노무법인|회계법인|세무법인|㈜|\(주\)|㈲)\s?[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{L}\p{N}ー・&-]{1,30}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}A-Za-z\p{N}ー・&（）()-]{1,30}?(?:(?<=\p{Script=Hangul})\s)?(?:株式会社|有限会社|合同会社|合資会社|合名会社|股份有限公司|有限责任公司|有限責任公司|有限公司|(?:會計師|律師|建築師|专利|会计师|律师)事務所|(?:会计师|律师|专利|税务师|设计|咨询)事务所(?:[（(](?:特殊)?普通合伙[)）])?|[（(](?:特殊普通|普通|有限)合伙[)）]|주식회사|㈜|\(주\)|유한회사|회계법인|법무법인|협동조합|专业合作社|合作社))|(?:บริษัท|ห้างหุ้นส่วนจำกัด)\s?[\p{L}\p{M}\p{N} .&()-]{2,50}?\s?จำกัด(?:\s?\(มหาชน\))?|ห้างหุ้นส่วน(?:จำกัด|สามัญ)\s?[\p{L}\p{M}\p{N}&.-]{2,40}/gu
/** Matches verbs for `founded`, which are written without a space before the name of the organization. */
const FOUNDED_BEFORE = /^.*(?:創立|创立|創辦|创办|成立|設立|设立|創設)了?(?=.{3})/u
/** Punctuation after a legal form, and an inflectional ending that a hyphen or a colon joins to it. */
const AFTER_FORM = /(?:[,;:)!?"”»،؛、，。։՝፣።፤।॥۔]|[-:]\p{Ll}{1,4}(?=$|[,.;]))+$/u
/** A script without capital letters, so that a name's end is known only at a punctuation mark or a number. */
const CASELESS =
  /[\p{Script=Arabic}\p{Script=Georgian}\p{Script=Ethiopic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Thai}\p{Script=Hebrew}]/u
const CASELESS_END = /[,;:.)،؛–—|։፣።।۔]+$/u
const MAX_CASELESS_WORDS = 6
/** Words that start the name of a company in scripts without capital letters. */
const FIRST_WORD = /^(?:شركة|الشركة|شرکت|مؤسسة|موسسه|مصرف|بنك|مجموعة|جمعية|עמותת|חברת)$/u
/** Forms after which South Slavic registers repeat the company's city, as in `Primer d.o.o. Novi Sad`. */
const BEFORE_CITY = /(?:d\.\s?o\.\s?o|d\.\s?d|a\.\s?d|ДООЕЛ|ДОО|АД|д\.о\.о|а\.д)\.?$/u
const CITY_AFTER_FORM = /^\s(?:\p{Lu}[\p{L}]+)(?:\s\p{Lu}[\p{L}]+)?(?=\s*(?:[,.;|·–—]|$))/u
/** Matches the words that end the leftward search for the start of a name. */
const BREAK = /^(?:©|\(c\)|copyright|[|·•–—:;/>»”"„“-]+|(?:19|20)\d\d(?:[–—-](?:19|20)?\d\d)?[,.]?|M\/s\.?)$/iu
const CONNECTOR = /^(?:\p{Ll}[\p{Ll}’']{0,4}|&|\+|\/|i|e|y|и|та|και)$/u
/** Matches words before the last partner in a name, as in `Bell, Cho & Diaz LLP`. */
const PARTNER = /^(?:&|\+|and|und|et|y|e|i|og|och|en|ja|a|και|и|та)$/u
/** A year in parentheses is part of a name, as in `Example (1986) Ltd`. */
const YEAR = /^\((?:19|20)\d\d\)$/u
/** Matches the partners after an Italian form, as in `S.n.c. di Mario Rossi & C.` */
const ITALIAN_PARTNERS = /^\s?(?:di\s)?(?:\p{Lu}[\p{L}'’]+\s){1,5}(?:&|e)\s(?:C\.|F\.lli|[Ff]igli[oa]?)/u
const TOKEN = /\S+/gu

/**
 * Finds organizations with a legal form in text. In a sentence, it is unclear where a name starts, so each possible
 * start after a lower-case word yields one reading. The longest reading comes first.
 */
export function mentionsIn(text: string): Mention[] {
  if (text.length > 3000) return []
  const found: Mention[] = [...text.matchAll(EAST_ASIAN)].map(({ 0: name, index }) => {
    const skipped = FOUNDED_BEFORE.exec(name)?.[0].length ?? 0
    return { name: name.slice(skipped).trim(), start: index + skipped, end: index + name.length }
  })
  const tokens = [...text.matchAll(TOKEN)].map(({ 0: word, index }) => ({ word, index }))
  for (let at = 0; at < tokens.length; at++) {
    const prefix = prefixAt(tokens, at)
    if (prefix > 0) {
      found.push(...readingAfter(text, tokens, at, prefix))
      at += prefix - 1
      continue
    }
    let words = formAt(tokens, at)
    // A name can have several consecutive forms, as in `Company Ltd`.
    while (words > 0 && !/,$/u.test(tokens[at + words - 1]?.word ?? '') && formAt(tokens, at + words) > 0)
      words += formAt(tokens, at + words)
    if (words > 0) {
      found.push(...readingsBefore(text, tokens, at, words))
      at += words - 1
    }
  }
  return found
}

/**
 * Returns the number of words in the legal form before a name; 0 if there is no such form at the position. Some forms,
 * such as `UAB`, may also follow the name.
 */
function prefixAt(tokens: readonly Token[], at: number): number {
  const before = tokens[at - 1]?.word ?? ''
  const isStart =
    !/^[\p{Lu}\p{N}]/u.test(before) ||
    /^(?:La|El|Il|A|O|Le|Die|Der|The)$/u.test(before) ||
    /[.,:;)]$/u.test(before) ||
    BREAK.test(before)
  if (!/^[\p{Lu}\p{Lo}\p{Script=Georgian}]/u.test(tokens[at]?.word ?? '')) return 0
  for (let words = MAX_PREFIX_WORDS; words > 0; words--) {
    const form = tokens.slice(at, at + words).map(({ word }) => word)
    const after = tokens[at + words]?.word ?? ''
    if (!PREFIXES.has(key(form.join(''))) || /[,;:)]$/u.test(form.at(-1) ?? '')) continue
    const isName = /^[\p{Lu}\p{N}]/u.test(after) || (CASELESS.test(form[0] ?? '') && CASELESS.test(after))
    if (/^[„«"“]/u.test(after) || (isName && isStart)) return words
  }
  return 0
}

type Token = { word: string; index: number }

/** Returns the number of words in the legal form at a position; 0 if there is no legal form. */
function formAt(tokens: readonly Token[], at: number): number {
  for (let words = MAX_FORM_WORDS; words > 0; words--) {
    const span = tokens.slice(at, at + words)
    if (span.length < words) continue
    const inner = span.slice(0, -1)
    if (inner.some(({ word }) => /[,;:]$/.test(word) && words < 3)) continue
    const bare = span.map(({ word }) => word.replace(/^[,(]/u, '').replace(AFTER_FORM, ''))
    // A hyphen may join the form to the name, as in `Betriebs-GmbH`.
    const form = words === 1 ? (bare[0] ?? '').replace(/^\p{Lu}\p{L}+-(?=(?:g?GmbH|AG|UG|KG)$)/u, '') : bare.join(' ')
    if (!FORMS.has(key(form)) || isStateOfAddress(form, tokens[at + words]?.word)) continue
    // In lower case, forms such as `as` and `private` are ordinary words, unless the list contains the form in lower
    // case.
    if (!SPELLED.has(form) && (!/[\p{Lu}./]/u.test(form) || /\s\p{Ll}{1,3}$/u.test(form))) continue
    if (ENDINGS.has(form) && span.at(-1)?.word === form && /^\p{Lu}/u.test(tokens[at + words]?.word ?? '')) continue
    return words
  }
  return 0
}

/** Forms such as `PA` and `NV` are also state codes, as in `Reno, NV 89501`. */
const isStateOfAddress = (form: string, next = ''): boolean => isUsState(form) && /^\d{5}(?!\d)/u.test(next)

function readingsBefore(text: string, tokens: readonly Token[], at: number, words: number): Mention[] {
  const last = tokens[at + words - 1] as Token
  // A parenthesis may be part of the form, as in `UG (haftungsbeschränkt)`.
  const isClosed = words > 1 && tokens.slice(at, at + words).some(({ word }) => word.startsWith('('))
  const tail = (isClosed ? /(?<=\))[,;:)!?"”»،]+$/u : AFTER_FORM).exec(last.word)?.[0].length ?? 0
  const formEnd = last.index + last.word.length - tail
  const partners = /^S\.?[an]\.?[sc]\.?(?:\sdi)?$/iu.test(text.slice(tokens[at]?.index, formEnd))
    ? (ITALIAN_PARTNERS.exec(text.slice(formEnd))?.[0].length ?? 0)
    : 0
  const end = formEnd + partners
  const starts: number[] = []
  const quoted = quotedBefore(tokens, at)
  if (quoted !== undefined) {
    // A common noun may precede the quotation marks, as in `Ветеринарна клиника „Пример“ ЕООД`.
    const line = lineStart(tokens, quoted, 0, true)
    const first = line === undefined || line === tokens[quoted]?.index ? [] : [line]
    return withCity([...first, (tokens[quoted] as Token).index], text, end)
  }
  let isListed = false
  for (let left = at - 1; left >= 0 && at - left <= 10; left--) {
    const { word, index } = tokens[left] as Token
    if (YEAR.test(word)) continue
    const opened = openOf(tokens, left)
    if (opened !== undefined) {
      left = opened
      continue
    }
    const open = /^[("„“«'‘]+/u.exec(word)?.[0].length ?? 0
    const bare = word.slice(open)
    if (BREAK.test(word) || /[:;!?|)”»]$|^\p{N}+\.$/u.test(word)) break
    // A comma separates a name from its form, the names of partners, or one organization from another.
    if (/[،፣]$/u.test(word) && left < at - 1) break
    if (/,$/u.test(word) && left < at - 1) {
      isListed = PARTNER.test(tokens[left + 2]?.word ?? '') || (isListed && /,$/u.test(tokens[left + 1]?.word ?? ''))
      if (!isListed) break
    }
    if (/\.$/u.test(word) && !/^(?:\p{Lu}\p{Ll}{0,2}\.|Bros\.|Corp\.|Prof\.)+$/u.test(word) && left < at - 1) break
    if (/^[\p{Lu}\p{Lo}\p{N}&]/u.test(bare)) starts.push(index + open)
    else if (!CONNECTOR.test(word.replace(/,$/u, ''))) break
    if (open > 0 || FIRST_WORD.test(bare)) break
  }
  const readings = starts.filter(
    (start, place) => place === starts.length - 1 || /(?:(?:^|\s)\p{Ll}\S*|,)\s$/u.test(text.slice(0, start)),
  )
  const line = lineStart(tokens, at, words)
  const longest = line !== undefined && !readings.includes(line) ? [line] : []
  return withCity([...longest, ...readings.toReversed()], text, end)
}

/** Returns a mention for each start, and another one with the company's city after some legal forms. */
function withCity(starts: readonly number[], text: string, end: number): Mention[] {
  const city = BEFORE_CITY.test(text.slice(0, end)) ? (CITY_AFTER_FORM.exec(text.slice(end))?.[0].length ?? 0) : 0
  return starts.flatMap((start) => [
    { name: withoutFullStop(text.slice(start, end)), start, end },
    ...(city > 0 ? [{ name: text.slice(start, end + city), start, end: end + city }] : []),
  ])
}

/**
 * Returns the index of the token before words in parentheses that end at a token, as in `Rowan (Estate Agents) LLP`;
 * undefined if no such words end there.
 */
function openOf(tokens: readonly Token[], at: number): number | undefined {
  if (!/^[^()]+\)$|^\(\p{Lu}\p{L}+\)$/u.test(tokens[at]?.word ?? '')) return undefined
  for (let left = at; left > Math.max(0, at - 4); left--) {
    const word = tokens[left]?.word ?? ''
    if (!/^\(?[\p{Lu}&]/u.test(word)) return undefined
    if (word.startsWith('(')) return left
  }
  return undefined
}

/** Returns the first token of a name in quotation marks before a legal form, as in `„Пример“ ООД`. */
function quotedBefore(tokens: readonly Token[], at: number): number | undefined {
  if (!/[”»“"]$/u.test(tokens[at - 1]?.word ?? '')) return undefined
  for (let left = at - 1; left >= Math.max(0, at - MAX_LINE_WORDS); left--)
    if (/^[„«“"]\p{Lu}/u.test(tokens[left]?.word ?? '')) return left
  return undefined
}

/**
 * Returns the start of a line that consists of a name and its form, such as `Soukromá škola Javořina, s.r.o.`, even if
 * the name contains words in lower case.
 */
function lineStart(tokens: readonly Token[], at: number, words: number, isQuoted = false): number | undefined {
  const next = tokens[at + words]?.word
  if (!isQuoted && next !== undefined && !BREAK.test(next) && !/[,;]$/u.test(tokens[at + words - 1]?.word ?? ''))
    return undefined
  const from = tokens.findLastIndex(({ word }, place) => place < at && BREAK.test(word) && !/^[–—-]$/u.test(word)) + 1
  const name = tokens.slice(from, at).map(({ word }) => word)
  const isName = name.length <= MAX_LINE_WORDS && name.every((word) => !/\p{L}{4,}[.!?]$|[:;!?]$|^\p{N}/u.test(word))
  return isName && /^\p{Lu}/u.test(name[0] ?? '') ? tokens[from]?.index : undefined
}

/** Drops a full stop at the end of the sentence. `Inc.` and `S.A.` are written with a dot, `LLC` and `GmbH` without. */
const withoutFullStop = (name: string): string =>
  /(?:\s\p{Lu}{2,}|GmbH|ApS|plc|Limited|Trust|Association|Society|Institute|Company|Corporation|Incorporated|\.)\.$/u.test(
    name,
  )
    ? name.slice(0, -1)
    : name

/** Reads `UAB Pavyzdys`, `ООО «Пример»` and `Fundacja Przykład`. */
function readingAfter(text: string, tokens: readonly Token[], at: number, words: number): Mention[] {
  const first = tokens[at] as Token
  const name = at + words
  if (CASELESS.test(first.word)) return readingInCaselessScript(text, tokens, at, name)
  let last = at
  const quoted = /^[«„"“]/u.test(tokens[name]?.word ?? '')
  for (let right = name; right < tokens.length && right - name < 8; right++) {
    const { word } = tokens[right] as Token
    if (!quoted && !/^[\p{Lu}\p{N}„«"“&]/u.test(word) && !(CONNECTOR.test(word) && isContinued(tokens, right + 1)))
      break
    if (BREAK.test(word)) break
    last = right
    if (quoted ? /[»”"“][.,;:)]*$/u.test(word) : /[,.;:)]$/u.test(word)) break
  }
  if (last === at) return []
  const rest = quoted ? [] : [...lowerWordsAfter(tokens, last), ...lineEnd(tokens, at, name, last)]
  return [...rest, tokens[last] as Token].map(({ word, index }) => {
    const end = index + word.length - (/[,.;:)]+$/u.exec(word)?.[0].length ?? 0)
    return { name: text.slice(first.index, end), start: first.index, end }
  })
}

/**
 * Reads `შპს მაგალითი` and `شرکت نمونه` in a script without capital letters, up to a punctuation mark, a number or the end
 * of the text. Names with another legal form at the end are read from that form.
 */
function readingInCaselessScript(text: string, tokens: readonly Token[], at: number, name: number): Mention[] {
  const start = tokens[at]?.index ?? 0
  for (let right = name; right - name < MAX_CASELESS_WORDS; right++) {
    const { word, index } = tokens[right] as Token
    if (formAt(tokens, right) > 0 || formAt(tokens, right + 1) > 0) return []
    const next = tokens[right + 1]?.word ?? ''
    if (!CASELESS_END.test(word) && next !== '' && !BREAK.test(next) && !/^[\p{N}(«„"“]/u.test(next)) continue
    const end = index + word.replace(CASELESS_END, '').length
    return [{ name: text.slice(start, end), start, end }]
  }
  return []
}

/** Returns whether a name continues after a connector, as in `SCEA Domaine de la Source`. */
const isContinued = (tokens: readonly Token[], at: number): boolean =>
  /^\p{Lu}/u.test(tokens[at]?.word ?? '') ||
  (CONNECTOR.test(tokens[at]?.word ?? '') && /^\p{Lu}/u.test(tokens[at + 1]?.word ?? ''))

/**
 * Returns the last word before a comma in a line that starts with a form and a name that contains lower-case words, as in
 * `SELARL Clinique vétérinaire des Tanneurs, 10000 Troyes`.
 */
function lineEnd(tokens: readonly Token[], at: number, name: number, last: number): Token[] {
  if (at > 0 && !BREAK.test(tokens[at - 1]?.word ?? '')) return []
  if (/[,.;:)]$/u.test(tokens[last]?.word ?? '')) return []
  for (let right = last + 1; right - name < MAX_LINE_WORDS; right++) {
    const token = tokens[right]
    if (!token || /[.:!?]$|\p{N}/u.test(token.word)) return []
    if (/[,;]$/u.test(token.word)) return /^\p{Lu}/u.test(token.word) ? [token] : []
  }
  return []
}

/** Returns the last of up to two lower-case words that end a name before a comma, as in `Nadace Tichý břeh, Brno`. */
function lowerWordsAfter(tokens: readonly Token[], last: number): Token[] {
  if (/[,.;:)]$/u.test(tokens[last]?.word ?? '')) return []
  for (let at = last + 1; at <= last + 2; at++) {
    const token = tokens[at]
    if (!token || !/^\p{Ll}{3,}[,;]?$/u.test(token.word)) return []
    const next = tokens[at + 1]?.word
    if (/[,;]$/u.test(token.word) || next === undefined || (BREAK.test(next) && !/^\p{N}/u.test(next))) return [token]
  }
  return []
}
