import type { NameVariant } from './company-names.ts'
import { DESCRIPTORS, foldAccents, isLegalForm, isRareWord, nameVariants, nameWords } from './company-names.ts'
import { signalModel } from './model.ts'
import type { Story } from './story.ts'
import { EVENT_CLASSES, isGivenName, readSymbols } from './symbols.ts'
import { cleanHeadline, tokenize } from './tokens.ts'

/** Who the company is, as far as it is known. */
export interface CompanyIdentity {
  /** Registrable domain. */
  domain: string
  /** Its name and legal name, and others it is known by. */
  names: readonly string[]
  /** Headquarters, to tell it from namesakes. */
  places?: readonly string[]
}

export interface AboutVerdict {
  about: boolean
  /** Probability that the company is a main party of the story. */
  confidence: number
  /** Why, in words for a person. */
  reason: string
}

/** Kept from this probability on. */
export const ABOUT_THRESHOLD = 0.8

const no = (confidence: number, reason: string): AboutVerdict => ({ about: false, confidence, reason })
const yes = (confidence: number, reason: string): AboutVerdict => ({
  about: confidence >= ABOUT_THRESHOLD,
  confidence,
  reason,
})

/**
 * Tells whether a story is about this company: a main party of it, not a namesake and not a passing mention. A story of the
 * company's own feed or newsroom (`own`) is taken to be, unless its headline is plainly another's.
 */
export function judgeAbout(
  story: Story,
  company: CompanyIdentity,
  { own = false }: { own?: boolean } = {},
): AboutVerdict {
  const variants = nameVariants(company.names)
  const headline = findName(wordsOf(story.headline), variants)
  if (own) {
    return headline
      ? yes(0.98, `name in the headline, on the company's own site ${company.domain}`)
      : yes(0.93, `published on the company's own site ${company.domain}`)
  }
  const lead = story.lead ? findName(wordsOf(firstSentence(story.lead)), variants) : undefined
  const corroborated = corroboration(story, company)
  if (headline && !headline.refusal) {
    const { weight, words } = headline.variant
    const name = words.join(' ')
    if (weight === 'common' && !corroborated)
      return no(0.4, `"${name}" is a name that others bear, and nothing else points to ${company.domain}`)
    const sure = corroborated ? 0.98 : { full: 0.95, distinct: 0.91, short: 0.87, common: 0.4 }[weight]
    return yes(sure, `name in the headline${corroborated ? `, ${corroborated}` : ''}`)
  }
  if (headline?.refusal) return no(0.15, headline.refusal)
  if (
    lead &&
    !lead.refusal &&
    lead.at <= 1 &&
    (lead.variant.weight === 'full' || lead.variant.weight === 'distinct' || corroborated)
  )
    return yes(corroborated ? 0.92 : 0.84, `named first in the lead${corroborated ? `, ${corroborated}` : ''}`)
  return no(lead ? 0.2 : 0.02, lead ? 'named only in passing' : 'not named')
}

/** What besides the name points to this company: its domain, or the place it is at. */
function corroboration(story: Story, company: CompanyIdentity): string | null {
  const text = `${story.headline} ${story.lead ?? ''}`.toLowerCase()
  const domain = company.domain.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)
  if (new RegExp(String.raw`(?<![\p{L}\p{N}.-])(?:www\.)?${domain}(?![\p{L}\p{N}-])`, 'iu').test(text))
    return `its domain ${company.domain} is given`
  const full = company.names
    .map((name) => nameWords(name))
    .find((words) => words.length >= 3 && ` ${nameWords(text).join(' ')} `.includes(` ${words.join(' ')} `))
  if (full) return 'its full name is given'
  const place = company.places?.find(
    (one) => one.length > 3 && nameWords(text).join(' ').includes(nameWords(one).join(' ')),
  )
  return place ? `${place} is where it has its headquarters` : null
}

interface Word {
  key: string
  capital: boolean
  /** The mark that follows, if any: it ends a name. */
  stop: boolean
  /** Tied to the next word by a hyphen. */
  tied: boolean
  /** An `and` or `&` follows. */
  and: boolean
}

function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const match of cleanHeadline(text).matchAll(
    /([\p{L}\p{N}][\p{L}\p{N}'&+.]*|&)(['’]s?)?([-–]?)([^\p{L}\p{N}&]*)/gu,
  )) {
    const [, raw = '', , tie = '', gap = ''] = match
    const bare = raw.replace(/'s$|['.]+$/u, '')
    if (/^(?:&|and)$/iu.test(bare)) {
      const previous = words.at(-1)
      if (previous) previous.and = true
      continue
    }
    words.push({
      key: foldAccents(bare.toLowerCase()),
      capital: /^\p{Lu}|^\d/u.test(bare) || /\p{Lu}/u.test(bare),
      stop: /[,;:.!?()"|–—]/u.test(gap) || raw !== bare,
      tied: tie !== '' && gap === '',
      and: false,
    })
  }
  return words
}

interface Found {
  variant: NameVariant
  /** Place of its first word. */
  at: number
  /** Why the mention does not count, if it does not. */
  refusal: string | null
}

/** The best mention of one of the names: whole words, written as a name, and not a part of a longer one. */
function findName(words: Word[], variants: NameVariant[]): Found | undefined {
  let refused: Found | undefined
  for (const variant of variants) {
    for (let at = 0; at + variant.words.length <= words.length; at += 1) {
      if (!variant.words.every((word, offset) => words[at + offset]?.key === word)) continue
      const end = at + variant.words.length
      if (!words.slice(at, end).every((word) => word.capital)) continue
      const refusal = namesake(words, at, end, variant, variants) ?? passing(words, at, end)
      if (!refusal) return { variant, at, refusal: null }
      refused ??= { variant, at, refusal }
    }
  }
  return refused
}

/** The name goes on before or after: another company's. */
function namesake(
  words: Word[],
  at: number,
  end: number,
  variant: NameVariant,
  variants: NameVariant[],
): string | null {
  const before = words[at - 1]
  const after = words[end]
  const last = words[end - 1] as Word
  const name = variant.words.join(' ')
  if (after?.capital && !last.stop && !last.and && !isLegalForm(after.key)) {
    const ours = variants.some(
      (one) => one.words.length > variant.words.length && one.words[variant.words.length] === after.key,
    )
    const goesOn =
      DESCRIPTORS.has(after.key) || isRareWord(after.key) || (!isTitleCase(words) && !isEventful(after.key))
    if (!ours && (DESCRIPTORS.has(after.key) || (variant.weight !== 'full' && goesOn)))
      return `"${name} ${after.key}" is another name`
  }
  if (variant.weight !== 'full' && before?.capital && !before.stop && !before.and && at > 1 && isRareWord(before.key))
    return `"${before.key} ${name}" is another name`
  if (before?.capital && !before.stop && variant.words.length === 1 && isPersonal(before, variant))
    return `"${before.key} ${name}" is a person`
  if (variant.weight === 'short' && variant.words.length === 1 && after && PERSONAL.test(after.key))
    return `"${name} ${after.key}": a person of that name`
  if (variant.weight === 'short' && !hasEventBeside(words, at, end)) return `"${name}" stands by no event`
  return null
}

/** Every longer word begins with a capital, so that capitals tell no names. */
function isTitleCase(words: Word[]): boolean {
  const long = words.filter((word) => word.key.length > 3)
  return long.filter((word) => word.capital).length >= long.length * 0.8
}

/** What companies do or have done to them, or a post at one. */
function isEventful(word: string): boolean {
  const { symbols } = readSymbols(tokenize(word.toUpperCase().slice(0, 1) + word.slice(1)), signalModel().known)
  return symbols.some(isEvent)
}

/** What is done to people, or by them, and never by a company. */
const PERSONAL =
  /^(?:appointed|promoted|elected|elevated|retires|retired|resigns|resigned|quits|ousted|sacked|succeeds|dies|jailed|steps)$/u

/** `Ann Corliss`: a given name, or an unknown one before a word that is less than the company's whole name. */
function isPersonal(before: Word, variant: NameVariant): boolean {
  return isGivenName(before.key) || (variant.weight === 'short' && isRareWord(before.key))
}

/** What a company does that is no event by itself, but shows that the name is its subject. */
const DOES =
  /^(?:adds?|gets?|wins?|takes?|plans?|makes?|brings?|grows?|sees|eyes|makes?|lands?|plots|gains|doubles|triples|creates|offers|tests|signs?|strikes|selects|moves|goes|turns|becomes|extends|strengthens|receives|secures|prepares|says|loses|cuts|set)$/u

/** The name is the subject of what happens (`Acme buys`), or its object (`buys Acme`, `stake in Acme`). */
function hasEventBeside(words: Word[], at: number, end: number): boolean {
  const next = words[end]
  if (
    next &&
    (DOES.test(next.key) ||
      symbolsOf(words.slice(end, end + 3))
        .slice(0, 1)
        .some(isEvent))
  )
    return true
  if (
    next?.key === 'to' &&
    symbolsOf(words.slice(end + 1, end + 4))
      .slice(0, 1)
      .some(isEvent)
  )
    return true
  const ahead = symbolsOf(words.slice(Math.max(0, at - 4), at))
  const previous = words[at - 1]?.key ?? ''
  return (
    isEvent(ahead.at(-1) ?? '') ||
    (LINK.test(previous) && ahead.some(isEvent)) ||
    (words[at - 1]?.and === true && ahead.some(isEvent))
  )
}

const LINK = /^(?:by|with|to|into|for|from|of|as|in|at|on|firm|adviser|maker|startup|ria|group|company|chain|rival)$/u
const isEvent = (symbol: string): boolean => EVENT_CLASSES.has(symbol) || symbol === 'ROLE' || symbol === 'FOUNDER'

function symbolsOf(words: Word[]): string[] {
  const text = words.map((word) => word.key).join(' ')
  return readSymbols(tokenize(text), signalModel().known).symbols
}

const BEFORE =
  /^(?:former|formerly|ex|like|unlike|versus|vs|than|alumni|alumnus|alum|including|via|inspired|beats|beyond|copycat|rivals|rivalling|mimics|follows|trails|copies|echoes|challenges|drop|drops|ditch|ditches|dump|dumps|quit|behind|against|answers|near)$/u
const PHRASE_BEFORE =
  /(?:such as|rivals? of|rival to|competitors? (?:of|to)|answer to|alternatives? to|previously (?:at|with)|formerly (?:of|at|with)|veterans? of|years at|works? (?:at|for|on)|worked (?:at|for)|who left|who quit|backed by|powered by|built (?:on|by ex)|available on|listed on|sold on|next door to|close to|the next|the new|the old|owners? of|users of|customers of|together with|compared (?:with|to)|case of|spun out of|takes? on|(?:switch|switches|switched|move|moves) from|look beyond|instead of|(?:success|story|rise|fall|fate|death|world|secret|art|days|ghost) of)$/u
const HIRED_FROM =
  /\b(?:joins?|joined|joining|hires?|hired|poach\w*|recruit\w*|lures?|taps?|names?|appoints?|adds?|moves?|arrives?|snags?|nabs?|lands?|team|duo|trio)\b.* from$/u
const AFTER =
  /^(?:rivals?|alums?|alumni|alumnus|veterans?|vets?|backed|style|like|esque|type|users?|customers?|competitors?|challengers?|killers?|clones?|spinout|mafia|engineers?|execs?|trained|owned|powered|based|inspired|shares|stock|shoppers|drivers|owners|listed|linked|era|sized|alternatives?|imitators?|wannabes?|playbook|lookalikes?|copycats?|former|ex|graduates?|loyalists?|fans?)$/u
const PHRASE_AFTER = /^(?:spin (?:out|off)|and others|or |vs |versus |among (?:those|them|others))/u
/** `Acme, Borden, Corvid: ten start-ups to watch` is about none of them. */
const ROUND_UP = /\b(?:to watch|to know|worth a look|reviewed|compared|explained|like these|and more|face|faces)\b/iu

/** `in Acme`, `on Acme`, `at Acme` tell where, unless money goes in, or somebody takes a post there. */
function isElsewhere(preposition: string, before: string): boolean {
  if (preposition === 'in')
    return !/\b(?:stakes?|invest\w*|interest|shares?|round|confidence|holding|million|money|equity|control|majority|minority|funding|capital|placement|seed|series \w) in$/u.test(
      before,
    )
  if (preposition === 'at')
    return !/\b(?:ceo|cfo|coo|cto|chief|president|chair\w*|director|head|officer|boss|helm|partner|counsel|executive|reins|post|role|board|jobs?|roles|team|hires?|joins|openings|leader\w*|shake\w*|plant|succession|change\w*)\b.* at$/u.test(
      before,
    )
  return (
    preposition === 'on' &&
    !/\b(?:bets?|sues|orders?|fines?|deals?|broken|ground|work|starts?|control|details) on$/u.test(before)
  )
}

/** Named only to place somebody else: `former Acme engineer`, `Acme rival`, `backed by Acme`. */
function passing(words: Word[], at: number, end: number): string | null {
  const keys = words.map((word) => word.key)
  const name = keys.slice(at, end).join(' ')
  const before = keys.slice(0, at).join(' ')
  const previous = keys[at - 1]
  if (previous && (BEFORE.test(previous) || PHRASE_BEFORE.test(before) || HIRED_FROM.test(before)))
    return `"${previous} ${name}": named only in passing`
  if (previous && isElsewhere(previous, before)) return `"${previous} ${name}": a place of the story, not a party to it`
  if (previous === 'from' && keys[end] === 'to') return `"${name}" is one of a list`
  if (
    words.filter((word, index) => word.stop && (word.capital || index === at)).length >= 2 &&
    ROUND_UP.test(keys.join(' '))
  )
    return `"${name}" is one of a list`
  const next = keys[end]
  const last = words[end - 1] as Word
  if (next === undefined || (last.stop && !last.tied && !AFTER.test(next))) return null
  // `Acme's shares` would be a story of Acme, but of none of the ten types.
  if (AFTER.test(next) || PHRASE_AFTER.test(keys.slice(end, end + 4).join(' ')))
    return `"${name} ${next}": named only in passing`
  return null
}

const firstSentence = (text: string): string => text.split(/(?<=[.!?])\s+(?=\p{Lu})/u)[0] ?? text
