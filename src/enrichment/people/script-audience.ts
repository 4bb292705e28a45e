import { classifySection } from './models/classify-section.ts'
import { hasSureRole } from './titles/classify-seniority.ts'

/**
 * A record's location in a page's data: the nearest non-technical key (`label`), and the objects between that key and
 * the record (`within`).
 */
export interface Place {
  label: string
  within: readonly object[]
}

/** The content of a list: the company's people (`own`), other people or things (`others`), or undetermined. */
export type Audience = 'own' | 'others' | 'unknown'

/** Matches keys for lists of outside people, former staff and pets. */
const FOREIGN_KEY =
  /testimon|quote|review|autor|author|auteur|f[oö]rfatt|skribent|byline|client|customer|kunde|speaker|sprecher|ponente|orador|relator[ei]|panell?ist|alumni|former|^ex[A-Z_-]|ehemalig|antigu|ancien|investor|post|article|blog|event|episode|guest|comment|kommentar|collaborators$|credit|licen[cs]e|donor|sponsor|nominee|award|partner_?logos?|case_?stud|opini|t[ée]moign|depoiment|citat|zitat|stimmen|kundord|recens|referen[zc]|mascot|^pets?$|^dogs$/i
/** Matches keys that frameworks and content management systems use for lists and objects of any kind. */
const TECHNICAL_KEY =
  /^(?:_?data|items?|list|nodes?|edges?|results?|rows?|records?|entries|entities|elements?|values?|content|contents|body|blocks?|sections?|modules?|components?|widgets?|slices?|slider?|slides|cards?|grid|columns?|tabs?|collections?|documents?|docs|hits|objects|persons?|children|fields|attributes|acf|meta|props|pageProps|initialProps|page|pages|state|initialState|store|query|payload|response|route|routes|root|main|media|by_?id|all|messages|locales?|translations?|header|footer|nav|users?|cms|rest|wp|\P{L}*\p{L}{0,2}\P{L}*)$/iu
/** Matches keys for a section's heading or type. */
const HEADING_KEY =
  /^(?:(?:section|block|list)?_?(?:title|heading|headline|header|label|layout|component|type|name)|_type|__typename|__component|__?layout|acf_fc_layout|blockType|titel|titre|t[ií]tulo|titolo|rubrik|overskrift|[uü]berschrift|otsikko|tytu[lł]|nazwa|namn|navn|nimi|nome?|nombre)$/i
const MAX_HEADING_LENGTH = 60
const MAX_HEADINGS = 6
const OWN = 0.5
const OTHERS = 0.8
/** Minimum probability of other people at which a key makes a heading about the company's people inconclusive. */
const LEANS = 0.4

/** Returns whether the key or type of a list or object indicates people outside the company. */
export const isForeignKey = (key: string): boolean => FOREIGN_KEY.test(key)

/** Returns the location of the value under `key` in an object. */
export function placeUnder(place: Place, key: string, parent: object): Place {
  if (Array.isArray(parent)) return place
  if (TECHNICAL_KEY.test(key)) return { label: place.label, within: [...place.within.slice(-2), parent] }
  return { label: key, within: [parent] }
}

/** Classifies a list by its key. If the key is inconclusive, uses the headings and types next to the list. */
export function audienceOf({ label, within }: Place): Audience {
  const words = wordsOf(label)
  const key = classifySection(words)
  if (words !== '' && key.own >= OWN) return 'own'
  // At some companies, partners, agents and brokers are staff.
  if (key.others >= OTHERS && !hasSureRole(words.replace(/e?s$/u, ''))) return 'others'
  const texts = within.flatMap(headingsOf)
  // The classifier is trained on headings, so types such as `testimonialSection` are matched as keys.
  if (texts.some((text) => !/\s/u.test(text) && isForeignKey(text))) return 'others'
  const headings = texts.map((text) => classifySection(/\s/u.test(text) ? text : wordsOf(text)))
  if (headings.some(({ own }) => own >= OWN)) return key.others >= LEANS ? 'unknown' : 'own'
  return headings.some(({ others }) => others >= OTHERS) ? 'others' : 'unknown'
}

const headingsOf = (object: object): string[] =>
  Object.entries(object)
    .filter(([key, value]) => typeof value === 'string' && value.length <= MAX_HEADING_LENGTH && HEADING_KEY.test(key))
    .slice(0, MAX_HEADINGS)
    .map(([, value]) => value)

/** Returns the words of a key or type: `customerStories` and `customer_stories` become `customer stories`. */
const wordsOf = (key: string): string =>
  key
    .slice(0, MAX_HEADING_LENGTH)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim()
    .toLowerCase()
