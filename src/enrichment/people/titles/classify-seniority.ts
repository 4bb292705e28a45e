import type { Seniority } from '../../../contract/person-values.ts'
import { SENIORITIES } from '../../../contract/person-values.ts'
import { countryCode } from '../../company/countries.ts'
import { readPattern } from '../../vocabulary/read-words.ts'
import { classifyDepartment } from './classify-department.ts'
import { expandTitle, titleSegments } from './title-text.ts'

const BOARD = readPattern('seniority/board', {
  or: /\bmembers? of (the )?.*\bboard\b|\bmember,? .*board\b|^(board of (directors|trustees|advisors|managers)|trustees?)$|\bboard of (directors|trustees)$|\bconsejer[oa]( independiente)?$|\b(honorary|hon\.?|board) (treasurer|secretary)\b|^(parent|staff|foundation|safeguarding|link|co-?opted|local authority) governor\b|\bconseil de surveillance\b/,
})
const CHAIR =
  /^(the )?(executive |independent |vice[- ]|founder |founding |honorary )?chair(man|woman|person)?\b(?! of the supervisory)/

const JUNIOR = readPattern('seniority/junior', {
  or: /\b(student(?! (affairs|services|life|success|support|counsel)))\b/,
})
const ASSISTANT = readPattern('seniority/assistants', {
  or: /^assistante? de\b|^(senior )?assistant$|^assistante?\b.*\b(direction|commerciale?|juridique)\b/,
})

const OFFICER = /\b(c[aecdfghilmoprstvx]o|cino|chro|ciso|cpto|cmio|cdao|pdg|dg)\b/
const EXECUTIVE = [
  readPattern('seniority/executive'),
  /(?<!\bin[- ])\bchief\b(?! of staff| engineer$| resident| inspector| petty| clerk| flight)/,
  /(?<!vice )(?<!vice-)\bpresident[ae]?\b(?!'?s)(?! (of the )?(club|circle))/,
  /\b((?<!product )(?<!process )(?<!business process )(?<!system )(?<!data )owner)\b/,
  /\bmanaging[- ](director|partner|member|principal|shareholder|general partner|broker|attorney|owner|executive|trustee)\b/,
  /^((corporate|group|company|general) )?(treasurer|secretary)$/,
  /\bvorstand(?!s?assist)/,
  /\w+vorstand\b/,
  /\b(directeur|directrice|director[ae]?|direttore|direttrice|diretor[a]?) (general[e]?|geral|executiv[oae]|ejecutiv[oa]|delegue)/,
  /\b(directeur|directrice|director[ae]?|direttore|direttrice) (administrati(f|ve|vo|va)|financi(er|ere|ero|era)|des operations|de operaciones|commercial[e]?|comercial|marketing|technique|tecnic[oa]|delle operazioni|operativ[oa]|finanziari[oa])/,
]
/** A head of the company, or of one of its functions or regions (`Managing Director, EMEA`). */
const HEAD_OF = /^(?:senior |group )?(?:managing|executive) director\s*(?:,|\s-+\s)\s*(.+)$/
const REGION =
  /^(?:north(?:ern)?|south(?:ern)?|east(?:ern)?|west(?:ern)?|central|latin|asia|europe|africa|middle east|nordics?|benelux|dach|emea|apac|latam|anz|gcc|mena|uk|usa?|americas?)\b/
const FRENCH_SECRETARY = /^secretaire general/
const PARTNER =
  /(?<!business )(?<!resources )(?<!people )(?<!talent )(?<!channel )(?<!alliance )(?<!technology )\bpartner(in)?\b(?! (manager|marketing|success|development|relations|enablement|operations|program|account|engineer|sales|director))|^(senior |lead )?principal$|^((sole|associate|senior|class [a-z]) )?(member|shareholder|stockholder|equity owner)$|\b(shareholder|associee?|soci[oa]|gesellschafter(in)?|vennoot|teilhaber(in)?)\b(?! (relations|services))/
const VICE_PRESIDENT = /\bvice[- ]president[e]?\b|\bvizepraesident/
const DIRECTOR = readPattern('seniority/director', {
  or: /\b[a-z-]+(?<!(team|gruppen|abteilungs|projekt|filial|niederlassungs|schicht|bau|buero|markt|standort|bezirks|geschaefts)-?)leiter(in)?\b|[a-z]{4,}directeur\b/,
})
const NOT_DIRECTOR =
  /\b(funeral director|head (teller|cashier|chef|nurse|waiter|coach|cook|groundskeeper|custodian|start))\b/
const MANAGER = readPattern('seniority/manager')
/** A `Consultant Cardiologist` is a senior physician. */
const SENIOR = readPattern('seniority/senior', {
  or: /\b(lead[a-z]*\b(?! generation))\b|^consultant (in )?([a-z&-]+ )*([a-z]*physician|surgeon|[a-z]+(?<!techn)ologist|[a-z]+(iatrician|iatrist)|ana?esthetist|obstetrician|[a-z]+ medicine)\b/,
})

/** Rules for non-Latin scripts. The first match wins. */
const OTHER_SCRIPTS: [Seniority, RegExp][] = [
  ['vice_president', /副总裁|副總裁|副社長|부사장|вице-президент/],
  ['board', /监事|監事|監査役|社外取締役|독립이사|член совета/],
  ['executive', readPattern('seniority/executive-other-scripts')],
  ['partner', /合伙人|合夥人|パートナー|партнер|партнёр/],
  ['director', /总监|總監|部長|本部長|主任|이사|본부장|실장|директор|руководител|начальник|διευθυντ|מנהל אגף|مدير عام/],
  ['manager', /经理|經理|課長|係長|マネージャー|팀장|과장|부장|менеджер|מנהל|مدير/],
  ['senior', /高级|高級|シニア|主管|старший|ведущий/],
  ['staff', /师|師|员|員|専門|担当|顾问|顧問|специалист|инженер|юрист|бухгалтер|аналитик/],
]

/**
 * Returns the seniority that a title indicates; null if it indicates none. If a title names several positions, the most
 * senior one wins. A managing or executive director of a function or region is a director.
 */
export function classifySeniority(title: string): Seniority | null {
  const whole = expandTitle(title)
  if (
    BOARD.test(whole) &&
    !/^((founder|president(?! du conseil de surveillance)|chief|owner|managing)\b)/.test(whole)
  ) {
    const executive = titleSegments(title).some((segment) => CHAIR.test(segment) && !/non-?executive/.test(whole))
    return executive && !/supervisory/.test(whole) ? 'executive' : 'board'
  }
  const found = isHeadOfPart(whole) ? ['director'] : titleSegments(title).map(segmentSeniority)
  const best = SENIORITIES.find((seniority) => found.includes(seniority)) ?? null
  if (best)
    return best === 'staff' && SENIOR.test(whole) && !/^staff\b/.test(whole) && !found.includes('junior')
      ? 'senior'
      : best
  return OTHER_SCRIPTS.find(([, words]) => words.test(title.toLowerCase()))?.[0] ?? null
}

/** Returns whether the title is `Managing Director` or `Executive Director` of a function or region only. */
function isHeadOfPart(title: string): boolean {
  const rest = HEAD_OF.exec(title)?.[1]
  if (rest === undefined) return false
  if (titleSegments(rest).some((segment, index, all) => isExecutive(segment, index, all) || PARTNER.test(segment)))
    return false
  const department = classifyDepartment(rest)
  return (department !== null && department !== 'executive') || REGION.test(rest) || countryCode(rest) !== undefined
}

function segmentSeniority(segment: string, index: number, all: string[]): Seniority | null {
  const senior = SENIOR.test(segment)
  if (JUNIOR.test(segment) && !PARTNER.test(segment)) return 'junior'
  if (ASSISTANT.test(segment)) return senior ? 'senior' : 'staff'
  if (VICE_PRESIDENT.test(segment)) return 'vice_president'
  if (isExecutive(segment, index, all)) return 'executive'
  if (PARTNER.test(segment)) return 'partner'
  if (DIRECTOR.test(segment) && !NOT_DIRECTOR.test(segment)) return 'director'
  if (MANAGER.test(segment)) return 'manager'
  if (senior) return 'senior'
  return hasRoleNoun(segment) ? 'staff' : null
}

function isExecutive(segment: string, index: number, all: string[]): boolean {
  // `Deputy CEO` is an executive title, but `Assistant Treasurer` and `Deputy Secretary` are not.
  if (CHAIR.test(segment) || FRENCH_SECRETARY.test(segment)) return true
  if (OFFICER.test(segment) && !/\bassistant\b/.test(segment)) return true
  if (/\b(associate|assistant) general counsel\b/.test(segment)) return false
  if (/^secretary$/.test(segment) && index > 0 && /assistant/.test(all[0] ?? '')) return false
  return EXECUTIVE.some((rule) => rule.test(segment))
}

const ROLE_NOUN = readPattern('titles/role-nouns')
/** Matches endings of occupation nouns. Some other words also have these endings. */
const ROLE_ENDING =
  /[a-z]{3,}(ist|icist|ologist|ographer|writer|maker|planner|keeper|worker|smith|man|woman|person|ician|eer|preparer|tester|inspector|fighter|rapist|setter|hand)\b|\b[a-z]{4,}(er|or|ian)s?$/

/** Returns whether the segment contains an occupation noun, such as `analyst`, `bookkeeper` or `Sachbearbeiterin`. */
export function hasRoleNoun(segment: string): boolean {
  return ROLE_NOUN.test(segment) || ROLE_ENDING.test(segment)
}

/**
 * Returns whether the title contains a known occupation noun, not merely a word with a similar ending (`Placeholder`).
 */
export function hasSureRole(title: string): boolean {
  return ROLE_NOUN.test(expandTitle(title))
}
