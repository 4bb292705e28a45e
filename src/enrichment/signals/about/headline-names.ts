import { signalModel } from '../classify/model.ts'
import { readSymbols } from '../text/symbols.ts'
import type { Token } from '../text/tokens.ts'
import { tokenize } from '../text/tokens.ts'

/** Facts that distinguish two headlines with the same signal type. */
export interface HeadlineFacts {
  /** Words in the names of companies, people and places, in lower case. */
  names: Set<string>
  /** Amounts of money, normalized and without spaces. */
  sums: Set<string>
  /** Stems of all words except function words. */
  words: Set<string>
  /** Words outside names and word classes. Most of these words describe the subject of the event. */
  topics: Set<string>
}

const FUNCTION_WORDS = new Set(
  'a an and as at by for from in into is it its of on or over that the this to up was will with after amid new says said has have'.split(
    ' ',
  ),
)
const SUM = /[$€£¥₹]\s?\d[\d,.]*\s?(?:thousand|million|billion|trillion|crore|lakh|mn|bn|m|b|k)?\b/giu

export function readFacts(headline: string): HeadlineFacts {
  const { known } = signalModel()
  const tokens = tokenize(headline)
  const names = new Set<string>()
  const words = new Set<string>()
  const topics = new Set<string>()
  for (const token of tokens) {
    const { symbols, stems } = readSymbols([token], known)
    const [symbol] = symbols
    if (isName(token, symbol)) names.add(token.key)
    else if (symbol === stems[0] && !FUNCTION_WORDS.has(token.key)) topics.add(token.key)
    const word = stems[0] ?? token.key
    if (!FUNCTION_WORDS.has(token.key)) words.add(word)
  }
  const sums = new Set([...headline.matchAll(SUM)].map(([sum]) => canonicalSum(sum)))
  return { names, sums, words, topics }
}

function isName(token: Token, symbol: string | undefined): boolean {
  return token.capital && (symbol === 'ENT' || symbol === 'PLACE' || symbol === 'PERSON' || symbol === 'WIREHOUSE')
}

function canonicalSum(sum: string): string {
  const short: Record<string, string> = { million: 'm', mn: 'm', billion: 'b', bn: 'b', thousand: 'k' }
  return sum
    .toLowerCase()
    .replace(/[\s,]/gu, '')
    .replace(/million|billion|thousand|mn|bn/u, (scale) => short[scale] ?? scale)
}
