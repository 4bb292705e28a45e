import { readPattern } from '../../vocabulary/read-words.ts'
import { expandTitle, titleSegments } from './title-text.ts'

/** Departments. `executive` includes general management, strategy and the board. */
export const DEPARTMENTS = [
  'executive',
  'finance',
  'investment',
  'advisory',
  'sales',
  'marketing',
  'product',
  'engineering',
  'information_technology',
  'research',
  'design',
  'operations',
  'customer_service',
  'human_resources',
  'legal',
  'compliance',
  'healthcare',
  'education',
  'fundraising',
  'consulting',
  'administration',
] as const

export type Department = (typeof DEPARTMENTS)[number]

/** Matches one position (`Directrice administrative et financière`), although `et` can also separate two positions. */
const ADMINISTRATION_AND_FINANCE = /\bam?ministrati[fv]\w* (et|y|e|i) finan[cz]\w*/

/** The first matching rule wins, so specific rules come first. */
const RULES: [Department, RegExp][] = [
  [
    'administration',
    readPattern('departments/assistants', {
      or: /^(senior )?(assistant|administrator)$|(?<!vermoegens)verwaltung(?!sra(t|et))|secretaire(?! general)|^(corporate |company )?secretary$/,
    }),
  ],
  [
    'marketing',
    /product marketing|marketing (analyst|operations|technology|manager|director|partner)|brand|(digital|growth|content|event|field|demand) marketing/,
  ],
  ['legal', readPattern('departments/legal')],
  ['compliance', readPattern('departments/compliance')],
  [
    'human_resources',
    readPattern('departments/human-resources', { or: /\b((?<!machine )(?<!deep )(?<!early )learning(?! support))\b/ }),
  ],
  ['fundraising', readPattern('departments/fundraising')],
  ['customer_service', readPattern('departments/customer-service')],
  ['healthcare', readPattern('departments/healthcare', { or: /\b(clinical(?! (research|trial))|speech.language)\b/ })],
  [
    'engineering',
    readPattern('departments/engineering', {
      or: /(?<!sales |networks? |networking |information technology )\bengineer(s|ing)?\b/,
    }),
  ],
  ['information_technology', readPattern('departments/information-technology')],
  ['product', readPattern('departments/product', { or: /^product$|\bproduct$/ })],
  ['design', readPattern('departments/design')],
  [
    'advisory',
    readPattern('departments/advisory', {
      or: /(?<!(capacity|demand|events?|load|logistics|maintenance|materials?|media|production|route|supply|transport) )\bplanner\b/,
    }),
  ],
  [
    'operations',
    /\b(investment|trading|trade|fund|security|portfolio|revenue|sales|loan|bank|branch|people)? ?operations?\b(?! research)|\bquality assurance\b/,
  ],
  ['investment', readPattern('departments/investment')],
  ['finance', readPattern('departments/finance')],
  [
    'sales',
    readPattern('departments/sales', {
      // An `agent d'entretien` is a cleaner.
      or: /\b(?<!(booking|cleaning|gate|patent|purchasing|reservations?|security|service|site|support|ticket|ticketing) )agent\b(?! d(e|es)?\b)|\b(?<!customs )broker\b|\bexport (sales|manager|director)\b|\b(head|director|manager|responsable|chef|cheffe)( of| des?| de l')? ?exports?\b/,
    }),
  ],
  ['research', readPattern('departments/research')],
  [
    'education',
    readPattern('departments/education', {
      // A `maestra quesera` or `maestro cervecero` is a master of a craft.
      or: /\b(university(?! president)|^adjunct$|maestr[oa](?! ([a-z]+er[oa]|de obras?)\b))\b/,
    }),
  ],
  [
    'marketing',
    readPattern('departments/marketing', { or: /\b(spokes\w+|press(?! (brake|fitter|operator|room|setter)))\b/ }),
  ],
  ['consulting', /\b(consult(ing|ants?)|berat(er|erin|ung)|consulente|consultor[a]?)\b|\bberater/],
  ['executive', /\b(strateg(y|ic|ist)|chief of staff)\b/],
  // In French, a `rédacteur en chef` or a `chef de secteur` is not a cook.
  ['operations', readPattern('departments/operations', { or: /(?<!\ben )\bchef\b(?! (de|du|des|d'))/ })],
  ['engineering', /\b(technology|technical)\b/],
  ['administration', /\b(administrati(on|ve)|administrator|clerk|secretary)\b/],
]

/** Rules for non-Latin scripts. Rules for general management come last. */
const OTHER_SCRIPTS: [Department, RegExp][] = [
  ['administration', /(?<!董事会|董事會)秘书(?!长)|(?<!董事会|董事會)秘書(?!長)|비서|секретар|עוזרת? אישית?/],
  ['finance', /财务|財務|会计|會計|経理|재무|회계|финанс|бухгалт|المالي|כספים|οικονομικ/],
  ['marketing', /营销|行銷|市场|マーケティング|広報|마케팅|маркетинг|التسويق|שיווק|μάρκετινγκ|μαρκετινγκ/],
  ['sales', /销售|銷售|営業|영업|продаж|المبيعات|מכירות|πωλήσεων|πωλησεων/],
  ['engineering', /技术|技術|研发|기술|개발|техническ|разработ|التقني|التكنولوجيا|טכנולוגי/],
  ['human_resources', /人力|人事|인사|персонал|кадр|الموارد البشرية|משאבי אנוש/],
  ['legal', /法务|法務|律师|律師|弁護士|법무|변호사|юрис|юрид|адвокат|القانون|محام|עורכ?ת? דין/],
  ['operations', /运营|營運|运维|운영|операцион|العمليات|תפעול/],
  ['executive', readPattern('departments/general-management-other-scripts')],
]

const GENERAL_MANAGEMENT = readPattern('departments/general-management', { or: /\b((?<!product )owner)\b/ })

/** Matches boards whose names contain words of another department. */
const BOARD =
  /\b(conseil (d'administration|de surveillance)|consiglio di amministrazione|consejo de administracion|consell d'administracio|conselho de administracao|consiliul(ui)? de administratie)\b/

/**
 * Matches positions whose department depends on the function that follows: `Managing Director, Private Equity`,
 * `President, Commercial Banking`.
 */
const NARROWED =
  /^(senior |group |executive )?(managing director|partner|principal|president|director|vice president|member|head|manager)$/

/**
 * Returns the department that a title indicates; null if it indicates none. If a title names several positions, the
 * first one with a department wins.
 */
export function classifyDepartment(title: string): Department | null {
  if (ADMINISTRATION_AND_FINANCE.test(expandTitle(title))) return 'finance'
  const segments = titleSegments(title)
  const [first, second] = segments
  if (first && second && NARROWED.test(first) && !GENERAL_MANAGEMENT.test(second)) {
    const function_ = ruleFor(second)
    if (
      function_ &&
      (!/^president$/.test(first) || !/\b(chief|officer|c[a-z]o|treasurer|secretary|advis[eo]r|planner)\b/.test(second))
    )
      return function_
  }
  for (const segment of segments) {
    const department = segmentDepartment(segment)
    if (department) return department
  }
  return ruleFor(expandTitle(title))
}

function segmentDepartment(segment: string): Department | null {
  if (BOARD.test(segment) && !/\b(assistant|secret)/.test(segment)) return 'executive'
  const general = GENERAL_MANAGEMENT.test(segment) && !/\bvice[- ]president/.test(segment)
  if (!general) return ruleFor(segment)
  // A function may be part of the position: `Kaufmännischer Geschäftsführer`, `Managing Director Sales`.
  const rest = segment.replace(GENERAL_MANAGEMENT, ' ')
  return /^(university|school|group|interim|deputy|[- ]?operator)?\s*$/.test(rest.trim())
    ? 'executive'
    : (ruleFor(rest) ?? 'executive')
}

function ruleFor(text: string): Department | null {
  return [...RULES, ...OTHER_SCRIPTS].find(([, words]) => words.test(text))?.[0] ?? null
}
