import type { Seniority } from '../../../contract/persons.ts'
import { SENIORITIES } from '../../../contract/persons.ts'
import { expandTitle, titleSegments } from './title-text.ts'

const BOARD =
  /\bcommittee (co-?|vice[- ]?)?chair|\bchair(man|woman|person)?[- ]elect\b|\bpast (chair|president)|\bnon[- ]?executive\b|\bindependent (non[- ]executive )?(director|trustee)|\b(board|advisory board|supervisory board) (member|director|observer|advisor)|\bmembers? of (the )?.*\bboard\b|\bmember,? .*board\b|^(board of (directors|trustees|advisors|managers)|trustees?)$|\bboard of (directors|trustees)$|\bsupervisory board\b|aufsichtsrat|verwaltungsrat|\bbeirat|administrateur (independant|non)|\bconsejer[oa]( independiente)?$|miembro del consejo|consigliere (di amministrazione|indipendente)|commissaris|raad van (toezicht|commissarissen)|membre du conseil|conselheir[oa]/
const CHAIR =
  /^(the )?(executive |vice |founder |founding |honorary )?chair(man|woman|person)?\b(?! of the supervisory)/

const JUNIOR =
  /\b(interns?|internship|trainee|apprentice|praktikant(in)?|stagiaire|auszubildender?|azubi|werkstudent(in)?|junior|summer (associate|analyst)|alternante?|apprentie?|becari[oa]|tirocinante|stagista|estagiari[oa]|graduate (engineer|analyst|trainee|associate|developer|consultant)|new grad|student(?! (affairs|services|life|success|support|counsel))|externe?ship)\b/
const ASSISTANT =
  /\b((executive|personal|administrative|legal|team|management|office|medical|dental|research|teaching|marketing|sales|production|nursing|design|hr|program|project|laboratory|lab|care|physician|editorial|art|accounting|finance|human resources) assistant)\b|\bassistent(in)?\b|^assistante? de\b|assistante? (de direction|administrati)|\b(legal|medical|executive|school|unit|office) secretary\b|^(senior )?assistant$|\bassistant (to|of) the\b|\bsecretary to\b|^assistante?\b.*\b(direction|commerciale?|juridique)\b/

const OFFICER = /\b(c[aecdfghilmoprstvx]o|cino|chro|ciso|cpto|cmio|cdao|pdg|dg)\b/
const EXECUTIVE = [
  /\bchief\b(?! of staff| engineer$| resident| inspector| petty| clerk| flight)/,
  /(?<!vice )(?<!vice-)\bpresident[ae]?\b(?!'?s)(?! (of the )?(club|circle))/,
  /\b(founder|founding (partner|principal|member|director)|(?<!product )(?<!process )(?<!business process )(?<!system )(?<!data )owner|proprietor|visionary)\b/,
  /\bmanaging[- ](director|partner|member|principal|shareholder|general partner|broker|attorney|owner|executive|trustee)\b/,
  /\b(general partner|executive director|general counsel|group chief|managing executive)\b/,
  /^((corporate|group|company|general) )?(treasurer|secretary)$/,
  /\b(provost|chancellor|headmaster|headmistress|head of school|head teacher|superintendent of schools|school superintendent|district superintendent)\b/,
  /\bgeschaeftsfuehr|\bvorstand(?!s?assist)|vorsitzende|\binhaber|\bgruender|\bfirmenchef|finanzvorstand|vertriebsvorstand|personalvorstand|\w+vorstand\b/,
  /\b(directeur|directrice|director[ae]?|direttore|direttrice|diretor[a]?) (general[e]?|geral|executiv[oae]|ejecutiv[oa]|delegue)|\bpresident[ae]?[- ]directeur|\bgerant[e]?\b|\bfondat(eur|rice)|\bfundador|\bfondatore|\bfondatrice|\bsocio[- ]fundador|\boprichter|\balgemeen directeur|\bconsejer[oa] delegad[oa]|\bamministratore (delegato|unico)|\bgerente general|\btitolare\b|\bproprietari[oa]\b|\bdueno\b|\beigenaar\b|\bverksta(e)?llande|\btoimitusjohtaja|\bprezes\b|bestuursvoorzitter|\bdaglig leder|\badministrerende/,
  // the one who answers for a whole function of the firm: usual wording for a chief officer outside English
  /\b(directeur|directrice|director[ae]?|direttore|direttrice) (administrati(f|ve|vo|va)|financi(er|ere|ero|era)|des operations|de operaciones|commercial[e]?|comercial|marketing|technique|tecnic[oa]|delle operazioni|operativ[oa]|finanziari[oa])/,
]
const FRENCH_SECRETARY = /^secretaire general/
const PARTNER =
  /(?<!business )(?<!resources )(?<!people )(?<!talent )(?<!channel )(?<!alliance )(?<!technology )\bpartner(in)?\b(?! (manager|marketing|success|development|relations|enablement|operations|program|account|engineer|sales|director))|^(senior |lead )?principal$|^((sole|associate|senior|class [a-z]) )?(member|shareholder|stockholder|equity owner)$|\b(shareholder|associee?|soci[oa]|gesellschafter(in)?|vennoot|teilhaber(in)?)\b(?! (relations|services))/
const VICE_PRESIDENT = /\bvice[- ]president[e]?\b|\bvizepraesident/
const DIRECTOR =
  /\b(director[a]?s?|direktor(in)?|directeur|directrice|direttore|direttrice|diretor[a]?|head|controller|comptroller|dean|chief of staff|chefarzt|chefaerztin|drh|editor[- ]in[- ]chief|rector|chief engineer|school principal|(assistant|vice|deputy) principal|principal of)\b|\b(?!(team|gruppen|abteilungs|projekt|filial|niederlassungs|schicht|bau|buero|markt|standort|bezirks)-?leiter)[a-z-]+leiter(in)?\b|\bleiter(in)?\b|\bprokurist(in)?\b|[a-z]{4,}directeur\b|direktor(in)?\b/
const NOT_DIRECTOR =
  /\b(funeral director|head (teller|cashier|chef|nurse|waiter|coach|cook|groundskeeper|custodian|start))\b/
const MANAGER =
  /\b(manager|managerin|supervisor|superintendent|team ?lead(er)?|group lead(er)?|superviseur|responsable|jefe|jefa|gerente|gestionnaire|responsabile|in-?charge|coordinatore responsabile|capo|gestora?|encargad[oa]|supervisora?|kepala|chef (de projet|d'equipe|de service|de produit|d'agence)|kierownik|overseer|head (nurse|chef|coach))\b|(team|gruppen|abteilungs|projekt|filial|niederlassungs|schicht|bau|buero|markt|standort|bezirks)leiter(in)?\b|manager(in)?\b/
const SENIOR =
  /\b(senior|lead|principal|staff (software |engineer|scientist|designer|developer)|of counsel|special counsel|oberarzt|oberaerztin|foreman|forewoman|expert|distinguished|master|head|experienced|confirme|associate general counsel|assistant general counsel|lead[a-z]*\b(?! generation))\b/

/** Titles in scripts without word boundaries of ours: the strongest word that occurs decides. */
const OTHER_SCRIPTS: [Seniority, RegExp][] = [
  ['vice_president', /副总裁|副總裁|副社長|부사장|вице-президент/],
  ['board', /监事|監事|監査役|社外取締役|독립이사|член совета/],
  [
    'executive',
    /总裁|總裁|董事长|董事長|首席|总经理|總經理|创始人|創辦人|創業者|社長|会長|代表|最高|取締役|执行官|執行役|대표|회장|사장|창업|генеральн|президент|основател|учредител|председател|διευθύνων|πρόεδρος|ιδρυτ|מנכ|מייסד|الرئيس|مؤسس|المدير التنفيذي|יו״ר/,
  ],
  ['partner', /合伙人|合夥人|パートナー|партнер|партнёр/],
  ['director', /总监|總監|部長|本部長|主任|이사|본부장|실장|директор|руководител|начальник|διευθυντ|מנהל אגף|مدير عام/],
  ['manager', /经理|經理|課長|係長|マネージャー|팀장|과장|부장|менеджер|מנהל|مدير/],
  ['senior', /高级|高級|シニア|主管|старший|ведущий/],
  ['staff', /师|師|员|員|専門|担当|顾问|顧問|специалист|инженер|юрист|бухгалтер|аналитик/],
]

/** The seniority that a title states, or null when its words say nothing about it. With several offices the highest counts. */
export function classifySeniority(title: string): Seniority | null {
  const whole = expandTitle(title)
  if (BOARD.test(whole) && !/^((founder|president|chief|owner|managing)\b)/.test(whole)) {
    const executive = titleSegments(title).some((segment) => CHAIR.test(segment) && !/non-?executive/.test(whole))
    return executive && !/supervisory/.test(whole) ? 'executive' : 'board'
  }
  const found = titleSegments(title).map(segmentSeniority)
  const best = SENIORITIES.find((seniority) => found.includes(seniority)) ?? null
  if (best)
    return best === 'staff' && SENIOR.test(whole) && !/^staff\b/.test(whole) && !found.includes('junior')
      ? 'senior'
      : best
  return OTHER_SCRIPTS.find(([, words]) => words.test(title.toLowerCase()))?.[0] ?? null
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
  // `Assistant Treasurer`, `Deputy Secretary` are not the officer; `Deputy CEO` is one
  if (CHAIR.test(segment) || FRENCH_SECRETARY.test(segment)) return true
  if (OFFICER.test(segment) && !/\bassistant\b/.test(segment)) return true
  if (/\b(associate|assistant) general counsel\b/.test(segment)) return false
  if (/^secretary$/.test(segment) && index > 0 && /assistant/.test(all[0] ?? '')) return false
  return EXECUTIVE.some((rule) => rule.test(segment))
}

const ROLE_NOUN =
  /\b(account|actuary|advocate|acupuncturist|bursar|chef|chief|clerk|cook|coach|counsel|doctor|driver|editor|fellow|nurse|officer|pilot|attorney|lawyer|notary|judge|paralegal|planner|paraplanner|partner|physician|professor|realtor|secretary|surgeon|treasurer|tutor|welder|electrician|guard|host|hostess|concierge|intern|agent|associate|consultant|assistant|accountant|architect|specialist|analyst|representative|therapist|scientist|engineer|developer|administrator|coordinator|technician|mechanic|advisor|adviser|strategist|economist|librarian|mentor|trainer|adjunct|steward|apprentice|operator|liaison|delegate|ambassador|adjuster|buyer|broker|banker|trader|teller|cashier|dealer|lender|underwriter|originator|avocate?|abogad[oa]|medecin|enfermer[oa]|maestr[oa]|comptable|contador[a]?|charge(e)? de|ingenieur(e)?|conseill(er|ere)|asesor[a]?|comercial|desarrollador[a]?|recepcionista|notaire|medic[oa]|avvocat[oa]|ingegnere|consulente|impiegat[oa]|coordenador[a]?|coordinador[a]?|coordinat(ore|rice)|coordinat(eur|rice)|tecnic[oa]|technicien(ne)?|analista|analiste|assistente|asistente|consultor[a]?|consultant(e)|engenheir[oa]|ingenier[oa]|advogad[oa]|vendedor[a]?|secretari[oa]|auxiliar|docente|professor[a]?|profesor[a]?|enseignant(e)|chercheu(r|se)|pesquisador[a]?|investigador[a]?|developpeu(r|se)|redacteur|redactrice|juriste|infirmier(e)?|psicolog[oa]|arquitet[oa]|arquitect[oa]|architecte|especialista|specialista|specialiste|addett[oa]|directiekassistent|verkoper|boekhouder|jurist|medewerker|adviseur|collaborat(or|eur)|secretaire|berater(in)?|fellow|lead|member|crew|worker|counselor|counsellor|caregiver|hygienist|candidate|researcher|pastor|minister|evangelist|deacon|bookkeeper|copywriter|programmer|tester|producer|composer|illustrator|photographer|videographer|curator|auditor|bookseller|broker-dealer|investor|mediator|estimator|inspector|dispatcher|foreman|barista|bartender|baker|butcher|farmer|grower|brewer|winemaker|carpenter|plumber|painter|mason|roofer|groomer|stylist|esthetician|masseuse|ranger|firefighter|paramedic|dentist|hygienist|optician|pharmacist|psychologist|counsellor|dietitian|biologist|chemist|physicist|geologist|statistician|historian|journalist|reporter|writer|translator|interpreter|teacher|lecturer|instructor|recruiter|generalist|marketer|merchandiser|machinist|assembler|designer|draftsman|surveyor|planner|appraiser|assessor|examiner|investigator|detective|captain|lieutenant|sergeant|chaplain|organizer|organiser|facilitator|moderator|educator|receptionist|bookkeeping|webmaster|controller|custodian|janitor|gardener|landscaper|driver|chauffeur|dispatcher|expert|guru|evangelist|ninja|wizard|hacker|lead)\b|(arzt|aerztin|anwalt|anwaeltin|referent|referentin|mitarbeiter|mitarbeiterin|berater|beraterin|betreuer|betreuerin|entwickler|entwicklerin|bearbeiter|bearbeiterin|kaufmann|kauffrau|schwester|pfleger|pruefer|lehrer|lehrerin|assistent|assistentin|sekretaerin|buchhalter|buchhalterin|disponent|disponentin|einkaeufer|einkaeuferin|designerin?|administrator|architektin?|therapeut|therapeutin|konstrukteur|techniker|technikerin|meister|meisterin|ingenieur|ingenieurin|fachkraft)\b/
/** Endings that nouns for jobs have, and other words too. */
const ROLE_ENDING =
  /[a-z]{3,}(ist|icist|ologist|ographer|writer|maker|planner|keeper|worker|smith|man|woman|person|ician|eer|preparer|tester|inspector|fighter|rapist|setter|hand)\b|\b[a-z]{4,}(er|or|ian)s?$/

/** True when the segment ends or stands on a word for somebody's job: `analyst`, `bookkeeper`, `Sachbearbeiterin`. */
export function hasRoleNoun(segment: string): boolean {
  return ROLE_NOUN.test(segment) || ROLE_ENDING.test(segment)
}

/** True when a word of the title surely means a job; false when at most its ending does (`Placeholder`, `Ranger`). */
export function hasSureRole(title: string): boolean {
  return ROLE_NOUN.test(expandTitle(title))
}
