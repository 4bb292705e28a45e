import { readSymbols } from '../text/symbols.ts'
import { tokenize, withoutDateline } from '../text/tokens.ts'
import { EVENT_CLASSES } from '../text/word-classes.ts'

export interface StoryText {
  headline: string
  /** The first sentences of the story. */
  lead?: string | null | undefined
}

/**
 * Weight of features from the lead, relative to the headline. The weight is lower, because leads also mention topics
 * other than the event.
 */
const LEAD_WEIGHT = 0.5
const LEAD_TOKENS = 45
/** Norm of the feature vector, roughly that of a ten-word headline. */
const LENGTH = 5.5
/**
 * Norm for stories with a lead. This norm is only slightly larger, because a lead adds evidence but mostly repeats the
 * headline.
 */
const LENGTH_WITH_LEAD = 7
/** Maximum distance between paired word classes, in symbols. */
const REACH = 7

/** Returns the value of each feature of a story, keyed by the feature's name. For `known`, see `readSymbols`. */
export function featuresOf(story: StoryText, known: ReadonlySet<string>): Map<string, number> {
  const features = new Map<string, number>()
  const add = (name: string, value: number) => features.set(name, Math.max(features.get(name) ?? 0, value))

  const tokens = tokenize(story.headline)
  const { symbols, stems } = readSymbols(tokens, known)
  for (const stem of stems) add(`w=${stem}`, 1)
  addSymbols(symbols, 1, add)
  const events = symbols.filter((symbol) => EVENT_CLASSES.has(symbol))
  add(`1=${events[0] ?? 'none'}`, 1)
  if (events.length > 1) add(`2=${events[0]}>${events[1]}`, 1)
  add(`^=${symbols[0]}`, 1)
  if (symbols.length > 1) add(`^=${symbols[0]}|${symbols[1]}`, 1)
  add(`len=${Math.min(6, Math.ceil(tokens.length / 3))}`, 0.5)
  if (story.headline.includes('?')) add('mark=?', 1)
  if (/^\d+ \w+ (?:to|for|that|you|not|every)\b/iu.test(story.headline)) add('mark=list', 1)
  if (/^[^:]{3,30}: /u.test(story.headline)) add('mark=:', 1)

  if (story.lead) {
    const lead = readSymbols(tokenize(withoutDateline(story.lead)).slice(0, LEAD_TOKENS), known)
    for (const stem of lead.stems) add(`w=${stem}`, LEAD_WEIGHT)
    addSymbols(lead.symbols, LEAD_WEIGHT, add)
    addSymbols(lead.symbols.slice(0, 14), LEAD_WEIGHT, (name, value) => add(`l${name}`, value))
    const led = lead.symbols.filter((symbol) => EVENT_CLASSES.has(symbol))
    add(`l1=${led[0] ?? 'none'}`, 1)
  }
  return scaled(features, story.lead ? LENGTH_WITH_LEAD : LENGTH)
}

/** Scales features to a fixed norm, because a long headline is not more certain than a short one. */
function scaled(features: Map<string, number>, length: number): Map<string, number> {
  const before = Math.hypot(...features.values())
  for (const [name, value] of features) features.set(name, (value * length) / before)
  return features
}

function addSymbols(symbols: string[], value: number, add: (name: string, value: number) => void): void {
  const padded = ['<', ...symbols, '>']
  for (let at = 0; at < padded.length; at += 1) {
    const here = padded[at] as string
    if (isClass(here)) add(`c=${here}`, value)
    const next = padded[at + 1]
    if (next !== undefined) add(`b=${here}|${next}`, value)
    if (!isClass(here)) continue
    for (let other = at + 1; other <= at + REACH && other < padded.length; other += 1) {
      const there = padded[other] as string
      if (isClass(there)) add(`k=${here}~${there}`, value)
    }
  }
}

const isClass = (symbol: string): boolean => /^(?:#|[A-Z]{2})/u.test(symbol) && symbol !== 'ENT'
