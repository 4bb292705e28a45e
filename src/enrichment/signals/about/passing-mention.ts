import type { Word } from './headline-words.ts'
import { isEvent, symbolsOf } from './headline-words.ts'

const BEFORE =
  /^(?:former|formerly|ex|or|uses|used|using|involving|undercuts|outsells|overtakes|outperforms|like|unlike|versus|vs|than|alumni|alumnus|alum|including|via|inspired|beats|beyond|copycat|rivals|rivalling|mimics|follows|trails|copies|echoes|challenges|drop|drops|ditch|ditches|dump|dumps|quit|behind|answers|near)$/u
const PHRASE_BEFORE =
  /(?:such as|rivals? of|rival to|competitors? (?:of|to)|answer to|alternatives? to|previously (?:at|with)|formerly (?:of|at|with)|veterans? of|years at|advised by|represented by|works? (?:at|for|on)|worked (?:at|for)|who left|who quit|backed by|powered by|built (?:on|by ex)|available on|listed on|sold on|next door to|close to|the next|the new|the old|owners? of|users of|customers of|together with|compared (?:with|to)|case of|spun out of|takes? on|(?:switch|switches|switched|move|moves) from|look beyond|instead of|(?:success|story|rise|fall|fate|death|world|secret|art|days|ghost) of)$/u
const HIRED_FROM =
  /\b(?:joins?|joined|joining|hires?|hired|poach\w*|recruit\w*|lures?|taps?|names?|appoints?|adds?|moves?|arrives?|snags?|nabs?|lands?|team|duo|trio)\b.* from$/u
const AFTER =
  /^(?:rivals?|alums?|alumni|alumnus|veterans?|vets?|backed|style|like|esque|type|users?|customers?|competitors?|challengers?|killers?|clones?|spinout|mafia|engineers?|execs?|trained|owned|powered|based|inspired|shares|stock|shoppers|drivers|owners|listed|linked|era|sized|alternatives?|imitators?|wannabes?|playbook|lookalikes?|copycats?|former|ex|graduates?|loyalists?|fans?|represented|represents|advised)$/u
const PHRASE_AFTER =
  /^(?:spin (?:out|off)|and others|or |vs |versus |among (?:those|them|others)|(?:predicts|warns|argues|says|finds|thinks|forecasts)$)/u
/** `says Acme strategist`: somebody of the company on something else. */
const QUOTED =
  /^(?:analysts?|economists?|strategists?|scientists?|researchers?|partners?|experts?|lawyers?|spokes\w+|chief|boss|ceo|executives?|study|survey|report|poll)$/u
const SAYS = /^(?:says?|said|warns?|argues?|predicts?|thinks?|forecasts?)$/u
/** Notices of what funds hold, written by machines from their filings: `Acme sells 4,000 shares of Borden`. */
const HOLDING =
  /^(?:\w+ )?(?:buys|sells|acquires|purchases|bought|sold|has|holds|takes|trims|boosts|lifts|lowers|cuts|reduces|increases|raises|decreases|makes) (?:its |new |a |an )*(?:[$\d][\w.]* )*(?:million |billion )?(?:new )?(?:shares|stock|stake|position|holdings?|investment)(?: position| holdings?)? (?:of|in)\b(?! .*\b(?:startup|start-up|firm)\b)/u
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
    !/\b(?:bets?|sues|orders?|fines?|deals?|broken|ground|work|starts?|control|details|hold|ban) on$/u.test(before)
  )
}

/** Who or what has to do with the company and is not it. */
const OTHERS_OF =
  /^(?:(?:sub)?contractors?|customers?|clients?|suppliers?|distributors?|tenants?|owners?|users?|members?|fans?|neighbou?rs?|victims?|parents?|shareholders?|investors?|shares|stock|bonds|units|fans|group|inspired|advised|represented|backed|owned|powered)$/u

/** `acquisition of Acme`, `CEO of Acme`: what is done to it, or a post at it; not `customer of Acme`. */
function isEventOf(words: Word[], at: number): boolean {
  return symbolsOf(words.slice(Math.max(0, at - 4), at - 1))
    .slice(-2)
    .some(isEvent)
}

/** Named only to place somebody else: `former Acme engineer`, `Acme rival`, `backed by Acme`. */
export function passing(words: Word[], at: number, end: number): string | null {
  const keys = words.map((word) => word.key)
  const name = keys.slice(at, end).join(' ')
  const before = keys.slice(0, at).join(' ')
  const previous = keys[at - 1]
  if (previous && (BEFORE.test(previous) || PHRASE_BEFORE.test(before) || HIRED_FROM.test(before)))
    return `"${previous} ${name}": named only in passing`
  const whose = keys[at - 2] ?? ''
  if (previous === 'to' && OTHERS_OF.test(whose)) return `"${whose} to ${name}": somebody beside the company`
  if (previous && /^(?:of|by|about|under|around)$/u.test(previous)) {
    if (OTHERS_OF.test(whose) || !isEventOf(words, at))
      return `"${whose} ${previous} ${name}": somebody or something beside the company`
  }
  if (words[at - 1]?.stop && words[at - 1]?.capital && at > 1 && words[end - 1]?.and)
    return `"${name}" is one of a list`
  if (previous && isElsewhere(previous, before)) return `"${previous} ${name}": a place of the story, not a party to it`
  if (/^(?:leaves?|left|quits?|departs?|exits?)$/u.test(previous ?? '') && /^(?:for|to)$/u.test(keys[end] ?? ''))
    return `"${previous} ${name}": the story of whom it leaves for`
  if (previous === 'from' && keys[end] === 'to') return `"${name}" is one of a list`
  if (
    words.filter((word, index) => word.stop && (word.capital || index === at)).length >= 2 &&
    ROUND_UP.test(keys.join(' '))
  )
    return `"${name}" is one of a list`
  const next = keys[end]
  const last = words[end - 1] as Word
  if (SAYS.test(previous ?? '') && (next === undefined || QUOTED.test(next)))
    return `"${previous} ${name}": an opinion from the company on something else`
  if (HOLDING.test(keys.slice(end).join(' '))) return `"${name}" holds shares of another company`
  if (next === undefined || (last.stop && !last.tied && !AFTER.test(next))) return null
  // `Acme's shares` would be a story of Acme, but of none of the ten types.
  if (AFTER.test(next) || PHRASE_AFTER.test(keys.slice(end, end + 4).join(' ')))
    return `"${name} ${next}": named only in passing`
  return null
}
