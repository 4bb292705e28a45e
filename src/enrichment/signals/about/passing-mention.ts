import { readWordSet } from '../../vocabulary/read-words.ts'
import type { Word } from './headline-words.ts'
import { isEvent, symbolsOf } from './headline-words.ts'

/** A reason why a mention may not concern the company. */
export interface Doubt {
  kind: string
  reason: string
}

const BEFORE = readWordSet('headlines/passing-before')
const PHRASE_BEFORE =
  /(?:such as|rivals? of|rival to|competitors? (?:of|to)|answer to|alternatives? to|previously (?:at|with)|formerly (?:of|at|with)|veterans? of|years at|advised by|represented by|works? (?:at|for|on)|worked (?:at|for)|who left|who quit|backed by|powered by|built (?:on|by ex)|available on|listed on|sold on|next door to|close to|the next|the new|the old|owners? of|users of|customers of|together with|compared (?:with|to)|case of|spun out of|takes? on|(?:switch|switches|switched|move|moves) from|look beyond|instead of|(?:success|story|rise|fall|fate|death|world|secret|art|days|ghost) of)$/u
const HIRED_FROM =
  /\b(?:joins?|joined|joining|hires?|hired|poach\w*|recruit\w*|lures?|taps?|names?|appoints?|adds?|moves?|arrives?|snags?|nabs?|lands?|team|duo|trio)\b.* from$/u
const AFTER = readWordSet('headlines/passing-after')
const PHRASE_AFTER =
  /^(?:spin (?:out|off)|and others|or |vs |versus |among (?:those|them|others)|(?:predicts|warns|argues|says|finds|thinks|forecasts)$)/u
/** Matches employees and publications that are quoted on other topics: `says Acme strategist`. */
const QUOTED =
  /^(?:analysts?|economists?|strategists?|scientists?|researchers?|partners?|experts?|lawyers?|spokes\w+|chief|boss|ceo|executives?|study|survey|report|poll)$/u
const SAYS = /^(?:says?|said|warns?|argues?|predicts?|thinks?|forecasts?)$/u
/** Matches automatically generated notices about fund holdings: `Acme sells 4,000 shares of Borden`. */
const HOLDING =
  /^(?:\w+ )?(?:buys|sells|acquires|purchases|bought|sold|has|holds|takes|trims|boosts|lifts|lowers|cuts|reduces|increases|raises|decreases|makes) (?:its |new |a |an )*(?:[$\d][\w.]* )*(?:million |billion )?(?:new )?(?:shares|stock|stake|position|holdings?|investment)(?: position| holdings?)? (?:of|in)\b(?! .*\b(?:startup|start-up|firm)\b)/u
/** Matches an award before the name of its giver: `wins award from Acme`. */
const AWARDED_BY = /\b(?:awards?|honou?rs?|prizes?|recognition|certification)\b.* (?:from|by)$/u
/** Matches words after the name of an award's giver: `Acme recognizes Borden`, but not `Acme recognized as`. */
const AWARDS = /^(?:has |have )?(?:recogni[sz]e[sd]?|honou?r(?:s|ed)?) (?!as |by |for |among |with |in |at )/u
/** Match the words around the name of a list's publisher: `named to Acme's top 100 list`. */
const RANKED_BY = /\b(?:named|ranked|recognized|recognised|selected|listed)\b.* (?:to|for|in|on|by)(?: the)?$/u
const RANKING = /\b(?:awards?|lists?|ranking|rankings|top|best|guide|index)\b/u
/** Matches headlines that only list companies: `Acme, Borden, Corvid: ten start-ups to watch`. */
const ROUND_UP = /\b(?:to watch|to know|worth a look|reviewed|compared|explained|like these|and more|face|faces)\b/iu

/** Words for people and things related to a company. For example, `customers of Acme` does not refer to Acme itself. */
const OTHERS_OF = readWordSet('headlines/others-of-a-company')

/** Returns whether an event or a position precedes `of`: `acquisition of Acme`, `CEO of Acme`. */
function isEventOf(words: Word[], at: number): boolean {
  return symbolsOf(words.slice(Math.max(0, at - 4), at - 1))
    .slice(-2)
    .some(isEvent)
}

/**
 * Returns the reason the company is mentioned only in passing (`former Acme engineer`, `Acme rival`, `backed by
 * Acme`); null if it is a main party.
 */
export function passingMention(words: Word[], at: number, end: number): Doubt | null {
  const keys = words.map((word) => word.key)
  const name = keys.slice(at, end).join(' ')
  const before = keys.slice(0, at).join(' ')
  const previous = keys[at - 1]
  if (previous && (BEFORE.has(previous) || PHRASE_BEFORE.test(before) || HIRED_FROM.test(before)))
    return { kind: 'before', reason: `"${previous} ${name}": mentioned only in passing` }
  const whose = keys[at - 2] ?? ''
  if (previous === 'to' && OTHERS_OF.has(whose))
    return { kind: 'others to', reason: `"${whose} to ${name}": a party other than the company` }
  if (previous && /^(?:of|by|about|under|around)$/u.test(previous)) {
    if (OTHERS_OF.has(whose) || !isEventOf(words, at))
      return { kind: 'others of', reason: `"${whose} ${previous} ${name}": a party other than the company` }
  }
  if (words[at - 1]?.stop && words[at - 1]?.capital && at > 1 && words[end - 1]?.and)
    return { kind: 'list', reason: `"${name}" is one of a list` }
  if (previous === 'from' && keys[end] === 'to') return { kind: 'list', reason: `"${name}" is one of a list` }
  if (
    words.filter((word, index) => word.stop && (word.capital || index === at)).length >= 2 &&
    ROUND_UP.test(keys.join(' '))
  )
    return { kind: 'list', reason: `"${name}" is one of a list` }
  const next = keys[end]
  const last = words[end - 1] as Word
  if (SAYS.test(previous ?? '') && (next === undefined || QUOTED.test(next)))
    return { kind: 'opinion', reason: `"${previous} ${name}": an opinion from the company on something else` }
  const rest = keys.slice(end, end + 8).join(' ')
  if (AWARDS.test(rest) || AWARDED_BY.test(before) || (RANKED_BY.test(before) && RANKING.test(rest)))
    return { kind: 'award', reason: `"${name}" gives the award` }
  if (HOLDING.test(keys.slice(end).join(' ')))
    return { kind: 'holding', reason: `"${name}" holds shares of another company` }
  if (next === undefined || (last.stop && !last.tied && !AFTER.has(next))) return null
  // News about `Acme's shares` concerns Acme, but does not belong to any of the ten signal types.
  if (AFTER.has(next) || PHRASE_AFTER.test(keys.slice(end, end + 4).join(' ')))
    return { kind: 'after', reason: `"${name} ${next}": mentioned only in passing` }
  return null
}
