import type { StoryType } from '../classify/model.ts'
import type { Story } from '../stories/story.ts'
import { withoutDateline } from '../text/tokens.ts'
import type { CompanyIdentity, NameVariant } from './company-names.ts'
import { isLegalForm, nameVariants, nameWords } from './company-names.ts'
import type { Word } from './headline-words.ts'
import { afterForms, COMPANY_VERBS, isEvent, isTitleCase, symbolsOf, wordsOf } from './headline-words.ts'
import type { Found } from './name-mention.ts'
import { findName } from './name-mention.ts'

/** Evidence that the company is a main party of a story. */
export interface AboutEvidence {
  headline: Found | undefined
  /** The mention in the first sentence of the lead. */
  lead: Found | undefined
  /** Evidence in addition to the name; null if there is none. */
  corroboration: { kind: 'domain' | 'place'; reason: string } | null
  /** Names of the features that the model weighs. */
  features: string[]
}

/**
 * Beginnings of the features that are combined with the type of the story, because the same words around a name have
 * different meanings in different events: the company after `from` is a party of an acquisition but not of an award.
 * Doubtful mentions are judged alike for all types.
 */
const DEPENDS_ON_TYPE = ['headline=', 'lead=', 'h:at=', 'h:before=', 'h:after=', 'h:event before=', 'h:event after=']

/** Collects the evidence that the company is a main party of the story, whose most likely type is `type`. */
export function collectEvidence(story: Story, company: CompanyIdentity, type: StoryType): AboutEvidence {
  const variants = nameVariants(company.names)
  const headlineWords = wordsOf(story.headline)
  const lead = withoutDateline(story.lead ?? '')
  const leadWords = wordsOf(firstSentence(lead))
  const found = { headline: findName(headlineWords, variants), lead: findName(leadWords, variants) }
  const corroboration = corroborationOf(story, company)
  const features = new Set<string>()
  const headlineKind = kindOf(found.headline)
  const leadKind = kindOf(found.lead)
  features.add(`headline=${headlineKind}`)
  features.add(`lead=${story.lead ? leadKind : 'missing'}`)
  features.add(`both=${headlineKind}|${story.lead ? leadKind : 'missing'}`)
  const named = found.headline?.variant ?? found.lead?.variant
  features.add(isClear(found, corroboration !== null) ? 'clear' : 'unclear')
  if (found.headline?.doubt)
    features.add(`doubt|${found.lead && !found.lead.doubt ? `lead ${position(found.lead.at)}` : 'no lead'}`)
  if (found.headline) for (const one of mentionFeatures(headlineWords, found.headline)) features.add(`h:${one}`)
  else if (found.lead) for (const one of mentionFeatures(leadWords, found.lead)) features.add(`l:${one}`)
  if (found.headline && found.lead) features.add(`lead at ${position(found.lead.at)}`)
  if (isFullNameIn(`${story.headline} ${lead}`, company)) features.add(`full name|${named?.weight}`)
  if (named && hasTicker(`${story.headline} ${lead}`, named)) features.add('ticker')
  if (named) features.add(`corroborated=${corroboration?.kind ?? 'no'}|${named.weight}`)
  if (!found.headline?.doubt) {
    features.add(`type=${type}`)
    for (const beginning of DEPENDS_ON_TYPE) {
      const feature = [...features].find((one) => one.startsWith(beginning)) ?? beginning
      features.add(`${type}|${feature}`)
    }
  }
  return { ...found, corroboration, features: [...features] }
}

/** Returns whether a specific name is mentioned without any doubt. */
const isClear = ({ headline, lead }: Pick<AboutEvidence, 'headline' | 'lead'>, corroborated: boolean): boolean =>
  headline
    ? !headline.doubt && (headline.variant.weight !== 'common' || corroborated)
    : lead !== undefined &&
      !lead.doubt &&
      lead.at <= 1 &&
      (lead.variant.weight === 'full' || lead.variant.weight === 'distinct' || corroborated)

const kindOf = (found: Found | undefined): string =>
  found ? `${found.variant.weight}${found.doubt ? ` (${found.doubt.kind})` : ''}` : 'none'

const position = (at: number): string => (at < 2 ? String(at) : at < 5 ? '2-4' : '5+')

/** Describes the words around the mention. */
function mentionFeatures(words: Word[], { at, variant, doubt }: Found): string[] {
  const end = afterForms(words, at + variant.words.length)
  const [before, before2] = [labelAt(words, at - 1), labelAt(words, at - 2)]
  const [after, after2] = [labelAt(words, end), labelAt(words, end + 1)]
  const ahead = symbolsOf(words.slice(0, at)).findLast(isEvent)
  const behind = symbolsOf(words.slice(end, end + 5)).find(isEvent)
  const last = words[end - 1] as Word
  const shape = isTitleCase(words) ? 'title' : 'sentence'
  return [
    `at=${position(at)}`,
    `at=${position(at)}|${variant.weight}`,
    `before=${before}`,
    `before=${before2}|${before}`,
    `after=${after}`,
    `after=${after}|${after2}`,
    `after=${after}|${variant.weight}|${shape}`,
    `event before=${ahead ?? 'none'}`,
    `event after=${behind ?? 'none'}`,
    `event before=${ahead !== undefined}|${before}`,
    `event after=${behind !== undefined}|${after}|${variant.weight}`,
    `inside=${shape === 'sentence' && at > 0}|${variant.weight}|${last.possessive ? 'possessive' : (behind ?? 'none')}`,
    `shape=${shape}|${variant.weight}`,
    ...(last.possessive ? [`possessive`, `possessive|${after}`] : []),
    ...(last.stop ? ['stop'] : []),
    ...(last.and || words[at - 1]?.and ? ['joined'] : []),
    ...(doubt ? [`doubt=${doubt.kind}`, `doubt=${doubt.kind}|${position(at)}`] : []),
  ]
}

/** Returns the word's class, or the word itself if it is in the vocabulary of headlines. */
function labelAt(words: Word[], at: number): string {
  const word = words[at]
  if (!word) return at < 0 ? '<' : '>'
  if (COMPANY_VERBS.has(word.key)) return 'VERB'
  const [symbol = '_'] = symbolsOf([word])
  return symbol === '_' ? (word.capital ? 'NAME' : 'word') : symbol
}

/** Returns whether the text contains one of the names in full, with two words or more. */
function isFullNameIn(text: string, { names }: CompanyIdentity): boolean {
  const within = ` ${nameWords(text).join(' ')} `
  return names
    .map((name) => nameWords(name).filter((word) => !isLegalForm(word)))
    .some((words) => words.length >= 2 && within.includes(` ${words.join(' ')} `))
}

/** Returns whether a stock ticker follows the name: `Acme, Inc. (NASDAQ: ACME)`. */
function hasTicker(text: string, { words }: NameVariant): boolean {
  return [...text.matchAll(/\((?:\w[\w ]{0,20}: ?)?[A-Z]{2,6}\b/gu)].some(({ index }) => {
    const before = wordsOf(text.slice(Math.max(0, index - 80), index)).map(({ key }) => key)
    return before
      .slice(-words.length - 3)
      .join(' ')
      .includes(words.join(' '))
  })
}

/** Finds the domain or the headquarters in the story. */
function corroborationOf(story: Story, company: CompanyIdentity): AboutEvidence['corroboration'] {
  const text = `${story.headline} ${story.lead ?? ''}`.toLowerCase()
  const domain = company.domain.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)
  if (
    text.includes(company.domain) &&
    new RegExp(String.raw`(?<![\p{L}\p{N}.-])(?:www\.)?${domain}(?![\p{L}\p{N}-])`, 'iu').test(text)
  )
    return { kind: 'domain', reason: `its domain ${company.domain} is mentioned` }
  const words = (company.places ?? []).length > 0 ? nameWords(text).join(' ') : ''
  const place = company.places?.find((one) => one.length > 3 && words.includes(nameWords(one).join(' ')))
  return place ? { kind: 'place', reason: `its headquarters ${place} is mentioned` } : null
}

const firstSentence = (text: string): string => text.split(/(?<=[.!?])\s+(?=\p{Lu})/u)[0] ?? text
