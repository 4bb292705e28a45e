import { expandTitle, titleSegments } from './title-text.ts'

/** What a person works on. `executive` is general management, strategy and the board; null means that the title does not say. */
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

/** In order: the first rule that fits a part of the title decides, so the narrower stand before the wider. */
const RULES: [Department, RegExp][] = [
  [
    'administration',
    /\b(executive|personal|administrative|office|team|management|front desk|front office) assistant\b|\bassistent(in)? der|assistante? (de direction|administrati)|\bassistant to\b|\bsecretary to\b|\badministrative (coordinator|associate|officer|manager|director|services|specialist)|\bchief administrative|\boffice (manager|administrator|administration|coordinator|assistant)|^(senior )?(assistant|administrator)$|receptionist|\bfront (office|desk)|sekretaer|(?<!vermoegens)verwaltung(?!srat)|data entry|recepcionista|^(corporate |company )?secretary$|secretaire|\bclerk typist|\boffice clerk|administration manager|(director|head|vice president) of administration/,
  ],
  [
    'marketing',
    /product marketing|marketing (analyst|operations|technology|manager|director|partner)|brand|(digital|growth|content|event|field|demand) marketing/,
  ],
  [
    'legal',
    /\b(legal|law|lawyer|attorneys?|counsel|paralegal|litigation|solicitor|barrister|notar(y|iat)|notaire|avocate?|abogad[oa]|avvocat[oa]|juridi(que|c[oa])|jurist(e|in)?|contracts? (manager|specialist|administrator|counsel)|intellectual property|privacy officer|conveyanc\w*)\b|rechtsanw|syndikus|\brecht\b|notar|\bclo\b/,
  ],
  [
    'compliance',
    /\b(compliances?|aml|kyc|risk|regulatory|ethics|data protection|financial crime|surveillance|chief audit|cco|cro risk|bsa|fraud|datenschutz\w*|conformite|riesgos|cumplimiento)\b/,
  ],
  [
    'human_resources',
    /\b(human (resources?|capital)|people( (and|&) culture| operations| partner| officer)?|talent|recruit\w*|chro|drh|personalleiter(in)?|personal(wesen|abteilung|referent(in)?|vorstand|entwicklung)|benefits|compensation|diversity|inclusion|(?<!machine )(?<!deep )learning|culture|workforce|headhunter|executive search|staffing|employee (relations|experience|engagement)|ressources humaines|recursos humanos|risorse umane|recrutement|payroll and benefits|training (manager|specialist|coordinator|director)|employer)\b|personal(leiter|referent|vorstand|chef)|leiter(in)? personal/,
  ],
  [
    'fundraising',
    /\b(fundrais\w*|philanthrop\w*|donor|major gifts?|annual giving|planned giving|grants?( writer| manager| officer)?|advancement|chief development officer|endowment development|development officer|gift)\b/,
  ],
  [
    'customer_service',
    /\b(customer|client (service|services|relations?|relationship|experience|success|support|associate|concierge|care|operations|engagement|onboarding|coordinator|manager|officer)|chief client|guest|concierge|call cent(er|re)|contact cent(er|re)|experience officer|relationship associate|help ?line|patient experience|conseillere? clientele|service client|atencion al cliente|servicio al cliente)\b|kunden(betreu|service|dienst|berat)/,
  ],
  [
    'healthcare',
    /\b(medical|clinical(?! (research|trial))|clinic|nurs(e|es|ing)|physician|pharmac\w*|dental|dentist|health (officer|care|services)|patient|rehabilitation|behavioral health|therap(y|ist)|physiotherap\w*|surgeon|surgery|psycholog\w*|psychiatr\w*|veterinar\w*|radiolog\w*|optometrist|hygienist|paramedic|emt|orthodont\w*|cardiolog\w*|dermatolog\w*|oncolog\w*|pediatric\w*|dietiti?an|nutritionist|chiropract\w*|midwife|caregiver|care (manager|coordinator)|licensed clinical|medecin|medic[oa]|enfermer[oa]|infirmi\w*|anesthes\w*|phlebotom\w*|audiolog\w*|podiatr\w*|neurolog\w*|gynecolog\w*|urolog\w*|doctor|crna|sonograph\w*|hospice|cno|practitioner|acupunctur\w*|speech.language|pathologist|hematolog\w*|gastroenterolog\w*)\b|arzt\b|aerzt|pflege|kranken|physiotherapeut|chefarzt|apotheker|therapeut/,
  ],
  [
    'engineering',
    /\b(software|data (scien\w*|engineer\w*|analy\w*|officer|architect\w*)|data|analytics officer|machine learning|artificial intelligence|ai|ml|devops|sre|developer|full[- ]?stack|front ?end|back ?end|cto|technology officer|technical (director|officer|lead)|(web|mobile|app|ios|android) develop\w*|solutions? architect|software architect|programmer|tester|robotics|embedded|firmware|logiciel|desarrollador[a]?|directeur technique|technischer geschaeftsfuehrer|director tecnico|analytics)\b|\bentwickl(er|ung)|(?<!sales )\bengineer(s|ing)?\b|ingenieur|konstrukteur|\btech lead\b|softwareentwickl/,
  ],
  [
    'information_technology',
    /\b(information (technology|systems?|security|officer|management)|chief digital|digital officer|cyber ?security|ciso|security officer|information|infrastructure|networks?|systems? (admin\w*|analyst|manager|engineer)|help ?desk|desktop support|database admin\w*|systemes d'information|dsi|sysadmin|cio)\b|systemadministrator|\binformatik|it-leiter|security analyst/,
  ],
  [
    'product',
    /\bproduct (manage\w*|owner|officer|director|lead|strateg\w*|analyst|specialist|development)|\b(chief|head of|director of|vice president of|director|manager|vice president) product\b|^product$|\bproduct$|produktmanage|\bcpo\b|chef de produit/,
  ],
  [
    'design',
    /\b(design(er)?(in)?|ux|ui|user experience|creative|art director|illustrator|photographer|architect(e|s|in)?|interior|animator|videographer|artist|visual)\b|grafik|architektin|designer/,
  ],
  [
    'advisory',
    /\b(wealth|(financial|finance) (plann\w*|advis[eo]r\w*|consultant|coach)|private (bank\w*|client\w*)|paraplanner|advis[eo]r representative|registered representative|retirement plan\w*|trust (officer|administrat\w*|advisor)|estate plann\w*|client advis[eo]r|(associate|lead|service|senior|junior|insurance|investment|managing|personal) advis[eo]r|advis[eo]ry services|family office|gestion de patrimoine|patrimoine|asesor[a]? financier[oa]|planning officer|insurance advisor|planner)\b|finanzberat|vermoegens(berat|verwalt)/,
  ],
  [
    'operations',
    /\b(investment|trading|trade|fund|security|portfolio|revenue|sales|loan|bank|branch|people)? ?operations?\b(?! research)/,
  ],
  [
    'investment',
    /\b(investments?|portfolios?|trad(er|ing|e)|private (equity|credit|debt|markets)|equit(y|ies)|fixed income|asset (manage\w*|allocation)|funds? manager|market strateg\w*|investment (bank\w*|strateg\w*)|venture|hedge|securities|capital markets|mergers-acquisitions|corporate finance|economist|credit research|due diligence|quant\w*|cio portfolio|real estate invest\w*|acquisitions|public markets|gestionnaire de portefeuille|deal|derivatives|commodit(y|ies))\b|fondsmanag|research analyst|investment/,
  ],
  [
    'finance',
    /\b(financ(e|es|ial|iere?|iero|iera|eiro|eira)|cfo|account(ing|ants?|s (assistant|payable|receivable))|tax(es|ation)?|treasur(y|er)|audit(or|ing)?|assurance|controller|comptroller|controlling|bookkeep\w*|actuar(y|ial)|underwrit\w*|fund (account|administrat)\w*|credit|lend(er|ing)|loans?|mortgages?|payroll|billing|investor relations|financial-planning-analysis|chief banking|banker|claims|insurance|comptable|contador[a]?|contabil\w*|tresor\w*|steuer\w*|budget|collections|originator|finanziari[oa]|administrati[fv]\w* et financi\w*|teller|valuation|cost|appraiser|adjuster)\b|steuerberat|buchhalt|rechnungswesen|finanz|wirtschaftspruef|kaufmaennisch/,
  ],
  [
    'sales',
    /\b(sales|revenue|commercial|business develop\w*|partnerships?|account (manager|executive|director)|accounts manager|relationship (manager|officer|banker)|channel|territory|leasing|realtor|real estate( agent| broker| sales)?|broker|distribution officer|retail|growth officer|business officer|insurance agent|merchandis\w*|partner manager|wholesal\w*|comercial|commerciale|ventas|vendite|vertegenwoordiger|alliances|ecommerce|e-commerce|pre-?sales|agent)\b|vertrieb|verkauf|aussendienst/,
  ],
  [
    'research',
    /\b(research(er)?|research-development|scien(ce|ces|tist|tists|tific)|laborator(y|ies)|lab|chem(ist|istry)|biolog\w*|innovation|postdoc\w*|investigator|discovery|clinical (research|trial\w*)|physicist|geologist|statistician|toxicolog\w*|microbiolog\w*|forscher)\b|forschung|wissenschaft/,
  ],
  [
    'education',
    /\b(education|academic|teach(er|ing)|professor|lectur\w*|instructor|school|students?|admissions|curriculum|dean|provost|headmaster|headmistress|chancellor|tutor|librarian|faculty|principal of|superintendent of schools|maestr[oa]|enseignante?|professeur|docente|registrar|adjunct|preschool|kindergarten|grade|early childhood|coach|university(?! president))\b|lehrer|schulleit|(assistant|vice|deputy) principal/,
  ],
  [
    'marketing',
    /\b(marketing|communications?|public (relations|affairs)|pr|brand\w*|content|social media|copywrit\w*|growth|seo|sem|media|press|journalist|editor(ial)?|events?|cmo|external affairs|community|writer|advertis\w*|publicist|spokes\w+|digital|reporter|translator|publishing|corporate affairs|outreach|comunicaci?on|comunicazione)\b|kommunikation|presse|redakteur|\bmarketing/,
  ],
  ['consulting', /\b(consult(ing|ants?)|berat(er|erin|ung)|consulente|consultor[a]?)\b|\bberater/],
  ['executive', /\b(strateg(y|ic|ist)|chief of staff)\b/],
  [
    'operations',
    /\b(coo|operat(ing|ions?|or)|supply chain|logisti\w*|procurement|purchas\w*|buyer|manufactur\w*|production|plant|quality|facilit(y|ies)|warehouse|construction|projects?|programs?|programme|fleet|maintenance|safety|sustainab\w*|transformation|process|property|practice|kitchen|site|superintendent|estimator|dispatch\w*|electrician|welder|driver|mechanic|technician, m|machine|machinist|assembl\w*|carpenter|plumber|chef|cook|inspector|transport\w*|foreman|forewoman|inventory|shipping|store ?keeper|planning manager|social work(er)?|security guard|janitor|custodian|landscap\w*|packaging|einkauf\w*|disponent(in)?|operaciones|produccion|operazioni|chef de projet|qualite|hospitality|housekeep\w*|import|export|scheduler|baker|restaurant|food|environment\w*|energy|field|installer|technology transfer|case manager|member relations)\b|betriebsleit|produktion|werkleit|projektleit|bauleit|einkaeufer|lager|qualitaet/,
  ],
  ['engineering', /\b(technology|technical)\b/],
  ['administration', /\b(administrati(on|ve)|administrator|clerk|secretary)\b/],
]

/** Functions in scripts without word boundaries of ours; who leads the whole company comes last. */
const OTHER_SCRIPTS: [Department, RegExp][] = [
  ['finance', /财务|財務|会计|會計|経理|재무|회계|финанс|бухгалт|المالي|כספים|οικονομικ/],
  ['marketing', /营销|行銷|市场|マーケティング|広報|마케팅|маркетинг|التسويق|שיווק|μάρκετινγκ|μαρκετινγκ/],
  ['sales', /销售|銷售|営業|영업|продаж|المبيعات|מכירות|πωλήσεων|πωλησεων/],
  ['engineering', /技术|技術|研发|기술|개발|техническ|разработ|التقني|التكنولوجيا|טכנולוגי/],
  ['human_resources', /人力|人事|인사|персонал|кадр|الموارد البشرية|משאבי אנוש/],
  ['legal', /法务|法務|律师|律師|弁護士|법무|변호사|юрис|юрид|адвокат|القانون|محام|עורכ?ת? דין/],
  ['operations', /运营|營運|运维|운영|операцион|العمليات|תפעול/],
  [
    'executive',
    /董事|总经理|總經理|总裁|總裁|社長|会長|代表|대표|회장|사장|генеральн|президент|основател|председател|διευθύνων|διευθυνων|מנכ|מייסד|الرئيس التنفيذي|رئيس مجلس|مؤسس/,
  ],
]

const GENERAL_MANAGEMENT =
  /\b(ceo|president|founder|(?<!product )owner|chair(man|woman|person)?|chief executive|managing[- ](director|partner|member|principal|shareholder|general partner)|general partner|executive director|founding (partner|principal|member)|proprietor|pdg|presidente|visionary)\b|geschaeftsfuehr|\bvorstand|inhaber|gruender|(directeur|directrice|director[ae]?|diretor[a]?|direttore) general|\bgerante?\b|\bfondat(eur|rice)|fundador|fondatore|consejer[oa] delegad[oa]|amministratore delegato|gerente general|algemeen directeur|oprichter|verksta(e)?llande|toimitusjohtaja|\bprezes\b|bestuursvoorzitter|socio-administrador|aufsichtsrat|\bbeirat|\bboard\b|non-?executive director|independent director|trustee|administrateur|consejo|commissaris|sprecher der/

/** Words that narrow a head's office to a function: `Managing Director, Private Equity`, `President, Commercial Banking`. */
const NARROWED =
  /^(senior |group |executive )?(managing director|partner|principal|president|director|vice president|member|head|manager)$/

/** The department that a title states, or null. With several offices the first that states one decides. */
export function classifyDepartment(title: string): Department | null {
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
  const general = GENERAL_MANAGEMENT.test(segment) && !/\bvice[- ]president/.test(segment)
  if (!general) return ruleFor(segment)
  // `Kaufmännischer Geschäftsführer`, `Managing Director Sales`: the function is part of the office
  const rest = segment.replace(GENERAL_MANAGEMENT, ' ')
  return /^(university|school|group|interim|deputy)?\s*$/.test(rest.trim())
    ? 'executive'
    : (ruleFor(rest) ?? 'executive')
}

function ruleFor(text: string): Department | null {
  return [...RULES, ...OTHER_SCRIPTS].find(([, words]) => words.test(text))?.[0] ?? null
}
