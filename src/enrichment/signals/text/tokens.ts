import { decodeHTML } from 'entities'

/** A word of a headline. `key` is the word in lower case, or a mask such as `#money`. */
export interface Token {
  key: string
  /** Whether the word starts with a capital letter, possibly after digits. */
  capital: boolean
  /** Whether the word is in all capitals. `US` is a country, but `Us` in title case is not. */
  acronym: boolean
}

const SCALE = '(?:thousand|million|billion|trillion|crores?|lakhs?|mln|mn|bn|tn|cr|m|b|k)'
const CURRENCY_WORD = '(?:dollars?|euros?|pounds?|rupees?|rand|yen|yuan|naira|shillings?|rupiah|rmb|usd|eur|gbp)'
const CURRENCY =
  '(?:(?:US|A|C|CA|NZ|HK|S|AU|R)?[$€£¥₹₦]|(?:Rs|INR|USD|EUR|GBP|NOK|SEK|DKK|PLN|CHF|AED|SAR|NGN|KES|ZAR|R)(?=[\\s.]?\\d))'
const MASKS: readonly [RegExp, string][] = [
  [new RegExp(`${CURRENCY}\\.?\\s?\\d[\\d,.]*(?:[\\s-]?${SCALE}\\b)?\\+?`, 'giu'), ' #money '],
  [new RegExp(`\\b\\d[\\d,.]*[\\s-]?${SCALE}\\b[\\s-]${CURRENCY_WORD}\\b`, 'giu'), ' #money '],
  [new RegExp(`\\b\\d[\\d,.]*\\s?(?:${CURRENCY_WORD}|€|£)(?=\\W|$)`, 'giu'), ' #money '],
  [
    /\b\d[\d,.]*\s?(?:million|billion|mn|bn|m|crores?|lakh)\b(?!\s*(?:people|users|customers|passengers|homes))/giu,
    ' #money ',
  ],
  [
    /\b(?:six|seven|eight|nine|double|triple)[\s-](?:figure|digit)(?:[\s-](?:million|sum))?\b|\b(?:two|three|four|five|six|seven|eight|nine|ten|multi)[\s-]?(?:million|billion)\b/giu,
    ' #money ',
  ],
  [/\b(?:[5-9]\d|100)(?:\.\d+)?\s?(?:%|per\s?cent|percent|pct)(?=\W|$)/giu, ' #major '],
  [/\b\d[\d,.]*\s?(?:%|per\s?cent|percent|pct)(?=\W|$)/giu, ' #percent '],
  [/\b(?:Q[1-4]|H[12]|[1-4]Q)(?=\W|\d|$)(?:\s?(?:FY)?(?:20)?\d\d\b)?/gu, ' #quarter '],
  [/\b(?:v\d+(?:\.\d+)*|\d+\.\d+(?:\.\d+)?)\b/giu, ' #version '],
  [/\b(?:19|20)\d\d\b/gu, ' #year '],
]
/** Matches phrases whose number is not masked. */
const NAMED_NUMBERS =
  /\binc\.? 5000|\btop \d+\b|\b(?:fast|under|ria channel|legal|cloud|fintech|ft|financial times) \d+\b|\b\d+ (?:under|list)\b|510\(k\)|form 8\.3|tier 1|band 1|s\/4hana|microsoft 365|dynamics 365|[gm]\/t\b/giu
/** Matches publisher names that agencies and aggregators append. */
const TAIL =
  /\s+[|–—]\s+[\p{Lu}][\p{L}.& ]{2,30}$|\s+-\s+(?:Reuters|Bloomberg|TechCrunch|CNBC|Forbes|Yahoo Finance|MarketWatch|Business Wire|PR Newswire|BBC News|Financial Times|WSJ)$/u
/** Matches stock tickers: `(NASDAQ: ACME)`, `(NYSE American: ACME; TSX: ACM)`, `(OTCQB: ACMEF, ACMEW)` and `(ACME)`. */
const TICKER = /\s?\([A-Z][\w ,;./-]{1,18}:[\w ,;:./-]{1,50}\)|(?<=\p{L}\S*)\s\([A-Z]{3,6}\)/gu
/** Matches prefixes that news agencies use to mark versions of a story. */
const SLUG = /^(?:(?:UPDATE|WRAPUP|REFILE|RPT)[ -]?\d*\s?[-–—:]|(?:BRIEF|EXCLUSIVE|CORRECTED|RPT|REFILE)\s?[-–—:])\s*/u
const WORD = /#\w+|[\p{L}\p{N}][\p{L}\p{N}'&+]*(?:[./(][\p{L}\p{N}]+\)?)*%?|[?!]/gu

/** Matches the dateline of a press release: `HOUSTON, July 19, 2024 (GLOBE NEWSWIRE) -- `. */
const DATELINE =
  /^[^.!?]{0,90}(?:\.[^.!?]{0,60}){0,3}?(?:\(\s*(?:GLOBE NEWSWIRE|BUSINESS WIRE|ACCESS Newswire|Newsfile[^)]*)\s*\)|\/[\w ]*newswire[\w ]*\/)[\s\u2013\u2014-]*(?:#\w+[\s-]*)*/iu

/** Matches a dateline with a date and any wire service: `OSLO, July 9, 2025 – `, `Reno, NV (Acme.ai) Jul 9, 2025 @ 7 AM — `. */
const DATED =
  /^.{0,110}?\b(?:\d{1,2}(?:st|nd|rd|th)? )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?(?: \d{1,2}(?:st|nd|rd|th)?,?)? 20\d\d\b.{0,50}?\s?(?:--|[-–—])\s+/iu

/** Removes the dateline from the lead of a press release. */
export const withoutDateline = (lead: string): string => lead.replace(DATELINE, '').replace(DATED, '')

/** Removes agency prefixes, publisher names and stock tickers from a headline. */
export function cleanHeadline(headline: string): string {
  return decodeHTML(headline)
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u02bc]/gu, "'")
    .replace(/[\u201c\u201d]/gu, '"')
    .replace(SLUG, '')
    .replace(TICKER, '')
    .replace(TAIL, '')
    .replace(/\s+/gu, ' ')
    .trim()
}

/**
 * Splits a headline into words. Masks amounts of money, percentages, quarters, versions and years, splits words at
 * hyphens, and removes the possessive `s`.
 */
export function tokenize(text: string): Token[] {
  const clean = cleanHeadline(text)
  let masked = /\p{Ll}/u.test(clean) ? clean : clean.toLowerCase()
  masked = masked.replace(/\b(?:\p{L}\.){2,}/gu, (letters) => letters.replaceAll('.', ''))
  const kept: string[] = []
  masked = masked.replace(NAMED_NUMBERS, (match) => ` #kept${kept.push(match) - 1} `)
  for (const [pattern, mask] of MASKS) masked = masked.replace(pattern, mask)
  masked = masked.replace(/#kept(\d+)/gu, (_, index) => kept[Number(index)] as string)
  const tokens: Token[] = []
  for (const [word] of masked.replace(/[-–—]/gu, ' ').matchAll(WORD)) {
    if (word.startsWith('#')) tokens.push({ key: word, capital: false, acronym: false })
    else {
      const bare = word.replace(/'s$|'$/u, '')
      tokens.push({
        key: bare.toLowerCase(),
        capital: /^\p{Lu}|^\d+\p{Lu}/u.test(bare),
        acronym: /^\p{Lu}{2,}$/u.test(bare),
      })
    }
  }
  return tokens
}
