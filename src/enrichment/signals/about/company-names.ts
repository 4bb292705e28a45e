import { foldAccents } from '../../../lib/fold-accents.ts'
import { isEnglishWord } from '../../vocabulary/ordinary-words.ts'
import { readSymbols } from '../text/symbols.ts'
import { tokenize } from '../text/tokens.ts'

/** A way to write the company's name. */
export interface NameVariant {
  /** Its words in lower case; `and` and `&` are left out. */
  words: string[]
  /**
   * How far the words alone tell the company: `full` (the whole name of several words, one of them rare), `distinct` (one rare word that is the whole
   * name), `short` (less than the whole name, or only words that others bear too: counts beside an event) or `common` (one word or
   * description that others bear: counts only with further proof).
   */
  weight: 'full' | 'distinct' | 'short' | 'common'
  /** The name is a list itself, so that a comma does not end it: `Ridley, Cho & Partners`. */
  listed?: boolean
}

const LEGAL = new Set(
  'inc incorporated llc lllp llp lp ltd limited plc corp corporation co company gmbh mbh ag kg ohg se sa sas sarl srl spa nv bv ab as asa oy oyj aps a/s kk pty pte pvt private sdn bhd sl slu lda ltda eireli ulc na ug ev kgaa jsc pjsc ooo sp zoo doo dd public'.split(
    ' ',
  ),
)
/** What a company is, not what it is called. */
export const DESCRIPTORS: ReadonlySet<string> = new Set(
  `advisers advisors advisory adviser advisor asset assets associates bancorp bancshares bank banking biosciences biotech brands brewing broadcasting brothers builders capital care chemicals clinic clinics club college
  communications consultants consulting council credit dental design developers development diagnostics digital energy engineering enterprises entertainment equity exchange farms fcu finance financial foods foundation fund funds games global
  group health healthcare holding holdings homes hospital hotels house industries infrastructure insurance international investment investments investors labs laboratories law logistics management manufacturing marine markets media medical
  metals mines mining motors mutual network networks office partners partnership petroleum pharma pharmaceuticals planning power practice productions properties property publishing rail realty reit research resources restaurants retail
  robotics savings school schools securities semiconductors services shipping software solar solutions stores studio studios supply systems technologies technology tech therapeutics trading transport trust union university utilities
  ventures water wealth works`.split(/\s+/u),
)
/** Describing words of companies of every trade, or of trades with thousands of companies. */
const VAGUE = new Set(
  `advisers advisors advisory adviser advisor asset assets associates bank banking brothers capital consultants consulting council credit development digital enterprises equity exchange finance financial foundation fund funds global
  group health healthcare holding holdings homes industries insurance international investment investments investors law management markets media mutual network networks office partners partnership properties property realty resources
  school schools services solutions systems technologies technology tech trading trust union ventures wealth works`.split(
    /\s+/u,
  ),
)
/** Names that hundreds of companies bear. */
const POPULAR = new Set(
  `acorn alliance alpha alpine altitude anchor apex arbor arc aspen aspire atlantic atlas aurora beacon blue bluebird boulder bridge bright brightstar canyon capitol cardinal cascade castle catalyst cedar century citadel clarity clear coastal
  compass concord core cornerstone crescent crest cross crown crystal diamond dynamic eagle eastern echo edge element elevate elite elm emerald empire endeavor enterprise epic equinox evergreen everest excel falcon first focus forge fortress forum
  foundation founders frontier fusion galaxy gateway gemini genesis glacier golden granite great green grove guardian harbor harbour harmony haven heritage highland highlands hill horizon hudson icon impact independence infinity insight integrity
  ivy journey keystone king lakeside landmark lake laurel legacy legend liberty lighthouse lincoln lion lotus lynx magnolia main maple mercury meridian metro midland milestone momentum monarch monument mosaic mountain nexus noble north northern
  northstar nova oak oasis ocean olympic omega one optimum orbit origin osprey pacific palm panorama paradigm paragon park patriot peak phoenix pilot pine pinnacle pioneer pivot planet platinum polaris portal precision premier prime prism prospect
  prosperity pulse quantum quest radiant rainbow raven regal regency regent reliance renaissance republic ridge rise river robin rock royal sage sapphire scout sequoia shield sierra signal signature silver sky solid source southern spark spectrum spire
  spring standard star stellar sterling stone strategic strata summit sun sunrise synergy tempest terra thrive tide titan torch tower tribune trident trinity triumph true trust twin unified union united unity universal urban valley vanguard vantage
  venture vertex vertical victory village vision vista vital wave west western willow wind woodland world zenith zephyr`.split(
    /\s+/u,
  ),
)

/** Words of a name: lower case, without accents, punctuation, `and` or the ending of a domain. */
export function nameWords(name: string): string[] {
  return tokenize(name.replace(/\.(?:com|io|ai|co|net|org)\b/giu, ''))
    .map((token) => foldAccents(token.key))
    .filter((word) => word !== '?' && word !== '!' && word !== 'and')
}

/**
 * The ways a headline may write one of these names: without its legal form, without its last describing words one after the other,
 * by its rare first word.
 */
export function nameVariants(names: readonly string[]): NameVariant[] {
  const variants = new Map<string, NameVariant>()
  const add = (words: string[], whole: boolean, listed = false) => {
    const key = words.join(' ')
    if (words.length > 0 && !variants.has(key))
      variants.set(key, { words, weight: weightOf(words, whole), ...(listed && { listed }) })
  }
  for (const name of names) {
    const words = nameWords(name)
    while (words.length > 1 && LEGAL.has(words.at(-1) as string)) words.pop()
    if (words.length > 1 && words[0] === 'the') words.shift()
    add(words, true, /,.+(?:&|\band\b)/iu.test(name))
    if (words.length > 2 && isRareWord(words[0] as string)) add(words.slice(0, 2), false)
    const short = [...words]
    while (short.length > 1 && DESCRIPTORS.has(short.at(-1) as string)) {
      short.pop()
      add([...short], false)
    }
    const [first] = words
    // Of `Kessel & Vane` neither stands for the firm alone: each is a family name.
    if (first !== undefined && words.length > 1 && isRareWord(first) && !/&|\band\b/iu.test(name)) add([first], false)
  }
  return [...variants.values()].toSorted((a, b) => b.words.length - a.words.length)
}

function weightOf(words: string[], whole: boolean): NameVariant['weight'] {
  const telling = words.filter((word) => !DESCRIPTORS.has(word))
  if (words.length === 1) {
    const [word = ''] = words
    if (!isRareWord(word) || isEnglishWord(word, 50)) return 'common'
    return whole ? 'distinct' : 'short'
  }
  // Three letters are an abbreviation: they tell a company only beside another word.
  const rare = telling.some((word) => isRareWord(word, 3))
  if (rare) return whole ? 'full' : 'short'
  if (telling.length >= 2) return whole ? 'short' : 'common'
  // `Summit Therapeutics` tells more than `Summit Financial`: fewer companies share both words.
  return whole && words.some((word) => DESCRIPTORS.has(word) && !VAGUE.has(word)) ? 'short' : 'common'
}

const NOTHING: ReadonlySet<string> = new Set()

/** Not a word of everyday language or of headlines, a place, a given name or a name that many companies bear. */
export function isRareWord(word: string, shortest = 4): boolean {
  if (word.length < shortest || /^\d+$/u.test(word) || POPULAR.has(word) || POPULAR.has(word.replace(/s$/u, '')))
    return false
  if (isEnglishWord(word, 20)) return false
  const { symbols } = readSymbols([{ key: word, capital: true, acronym: false }], NOTHING)
  return symbols[0] === 'ENT'
}

/** `Inc`, `GmbH`, `S.A.`, ...: a form, not a part of the name. */
export function isLegalForm(word: string): boolean {
  return LEGAL.has(word.replaceAll('.', ''))
}
