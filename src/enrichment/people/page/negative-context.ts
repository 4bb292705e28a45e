import type { Element } from 'domhandler'
import type { Atom } from './page-atoms.ts'
import type { Line } from './page-lines.ts'

/** Headings over people who are not the company's: its customers, authors, speakers, vacancies, and who has left. */
const FOREIGN_HEADING =
  /testimon(ial|y)|review|(happy|satisfied|trusted by|loved by) (our |by |many )?(clients|customers|patients|students|users)|what (our |your |my )?(clients|customers|people|others|patients|students|users|partners).* (say|think|are saying)|(clients?|customers?|users?|patients?|students?|people) (say|love|stories|are saying|voices)|stories|\b(blog|articles?|latest (news|posts?)|recent (news|posts?)|news(room)?|press|media (contacts?|coverage)|insights|publications|podcasts?|webinars?|events?|(keynote|guest|featured|our|conference|past) speakers|^speakers)\b|\b(careers?|vacanc(y|ies)|open (positions|roles)|job openings|jobs|join (us|our)|we.re hiring|now hiring)\b|\b(our clients|customers|case stud(y|ies)|portfolio companies|selected clients|references|partners and clients)\b|\b(authors?|contributors|guest writers?|by our readers)\b|\b(former|past (presidents|directors|members)|alumni|in memoriam|in loving memory|previous)\b|\b(our offices|locations|products?|solutions|services|our work|awards?|sponsors|donors|supporters|recipients|winners|scholars|fundrais|obituar)\b|kundenstimmen|referenzen|stellenangebote|aktuelles|offene stellen|das sagen|t[ée]moignages|nos clients|actualit[ée]s|offres d.emploi|avis clients|testimonios|opiniones|clientes|noticias|empleo|お客様の声|採用|ニュース|отзывы|новости|вакансии/i
/** Headings over the company's own people, which win over a word of the list above (`Our team of product specialists`). */
export const TEAM_HEADING =
  /\b(team|leadership|people|management|executives?|who we are|meet|staff|board|directors|partners|founders?|principals|advisors?|advisers?|attorneys|lawyers|professionals|experts|officers|employees|our family|members|governance|committee|trustees|faculty|consultants|physicians|doctors|providers|practitioners|crew|about us|contacts?)\b|geschäftsführung|ansprechpartner|mitarbeiter|vorstand|aufsichtsrat|führung|über uns|équipe|direction|dirigeants|conseil|equipo|directiva|quiénes somos|nosotros|direttivo|chi siamo|squadra|persone|役員|チーム|メンバー|经营|团队|команда|руководство|направлен|μας|ομάδα|팀|경영진/i

/** Words for the people who work somewhere, whatever they do there; `partners`, `contacts` and `about us` may be anybody's. */
export const STAFF =
  /\b(team|people|staff|leadership|attorneys|lawyers|abogados|founders?|board|directors|trustees|executives|management|professionals|advis[eo]rs|physicians|doctors|faculty|employees|who we are|crew|members|principals|consultants|governance|committee|meet)\b|geschäftsführung|mitarbeiter|ansprechpartner|vorstand|aufsichtsrat|équipe|equipe|equipo|quiénes somos|quienes somos|chi siamo|persone|役員|チーム|メンバー|团队|команда|руководство|ομάδα|팀|경영진/i

const FOREIGN_CLASS =
  /(^|[\s_-])(testimon(ials?|y|ies)|reviews?|reviewer|quotes?|blockquote|blog|byline|comments?|commenter|case-?stud(y|ies)|customers?|vacanc(y|ies)|breadcrumbs?|pagination|related-posts?|recent-posts?|post-(author|meta|card)|article-(author|meta)|author-(box|bio|name|meta)|entry-(meta|author)|cookie\w*|modal-backdrop)([\s_-]|$)/i
const FOREIGN_ITEM = /(Review|Article|Posting|Comment|Event|Product|Quotation|Rating)$/
const DATE_LINE =
  /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*\.? \d{1,2}(st|nd|rd|th)?,? (19|20)\d\d\b|\b\d{1,2} (jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*\.?,? (19|20)\d\d\b|\b(19|20)\d\d-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./](19|20)\d\d\b|\bmin(ute)?s? read\b|\b\d+ (hours?|days?|weeks?|months?) ago\b/i
const BYLINE =
  /^(by|written by|posted by|author:?|von|par|por|words by|reviewed by|hosted by|moderated by|interview(ed)? (by|with)|photo(graph)?s? by|credit)\b/i
const QUOTE = /^[“"«„『「].{25}|.{25}[”"»』」]$/s

/** Reasons that page builders give to staff too: the class of a block, and a motto or a biography set as a quotation. */
export const BLOCK_OF_OTHERS = 'in a block of others'
export const BESIDE_QUOTATION = 'beside a quotation'

/** Why the person of this name, in this place, is not one of the company's own; null when nothing speaks against it. */
export function foreignReason(name: Atom, around: readonly Atom[], headings: readonly Line[]): string | null {
  const heading = headings.find(({ text }) => TEAM_HEADING.test(text) || FOREIGN_HEADING.test(text))
  if (heading && FOREIGN_HEADING.test(heading.text) && !isTeamHeading(heading.text))
    return `under "${heading.text.slice(0, 60)}"`
  for (let el: Element | null = name.el, up = 0; el && up < 7; el = el.parent as Element | null, up++) {
    if (el.name === 'blockquote' || el.name === 'q') return 'in a quotation'
    if (el.name === 'address') return 'in an address'
    if (FOREIGN_ITEM.test(el.attribs?.['itemtype'] ?? '')) return 'in an item of others'
    if (
      el.attribs &&
      el.name !== 'body' &&
      el.name !== 'html' &&
      FOREIGN_CLASS.test(`${el.attribs['class'] ?? ''} ${el.attribs['id'] ?? ''}`)
    )
      return BLOCK_OF_OTHERS
  }
  if (around.some(({ line }) => DATE_LINE.test(line.text) && line.text.length < 90)) return 'beside a date'
  if (
    around.some(
      ({ line }) => line.el.name === 'blockquote' || hasAncestor(line.el, 'blockquote') || QUOTE.test(line.text),
    )
  )
    return BESIDE_QUOTATION
  if (BYLINE.test(name.line.text)) return 'a byline'
  return null
}

/** A heading over the company's own people. */
export function isTeamHeading(text: string): boolean {
  return (
    TEAM_HEADING.test(text) &&
    !/\b(client|customer|partner|patient|student)s? (stories|say|testimonials|love|voices|success)|testimonial|join (us|our)|former|alumni|blog|news\b|careers?|open (positions|roles)|what .* say|in memoriam|case stud|speakers|hiring/i.test(
      text,
    )
  )
}

function hasAncestor(el: Element, name: string): boolean {
  for (let node: Element | null = el, up = 0; node && up < 4; node = node.parent as Element | null, up++)
    if (node.name === name) return true
  return false
}
