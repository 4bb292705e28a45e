import { readAlternatives, readPattern } from '../../vocabulary/read-words.ts'
import { classifyText } from '../models/classify-text.ts'
import { classifyDepartment } from './classify-department.ts'
import { classifySeniority, hasSureRole } from './classify-seniority.ts'
import { withoutLabel } from './title-text.ts'

/**
 * Matches words that start links and labels (`Full Bio`), although some titles also start with these words (`Full Stack
 * Developer`).
 */
const LABEL =
  /^(show|contact|call|e-?mail|phone|tel|fax|mobile|more|less|back|next|previous|website|bio(graphy)?|profile|full|close|open|menu|home|about|book|new|message|share)\b/i
const NOT_A_TITLE = new RegExp(`^(${readAlternatives('titles/link-words')})\\b`, 'i')
const CONTAINS_NO_TITLE =
  /\b(twitter|newsletter|read more|learn more|years? of experience|all rights|copyright|view profile|full bio|is committed|follow us)\b|https?:|www\.|@|\.(com|org|net)\b/i
/** Matches headings above lists of people: `Partners`, `Board of Directors`, `Executive Team`, `Financial Advisors`. */
const PLURAL_HEADING = new RegExp(`\\b(${readAlternatives('headings/plural')})$`, 'i')
const NO_PLURAL_HEADING =
  /[,&/]|^(member|chair\w*|vice|president|secretary|head|director|assistant|manager|lead|leiter\w*|clerk|advis[eo]r) |\bof staff$/i
/** Matches words that can start a phrase, but not a title. */
const PHRASE =
  /^(an?|this|that|these|your|our|my|their|every|all|any|each|no|not|if|when|how|why|what|who|where|which|for|with|from|to|in|by|but|as|is|are|we|it|there|get|let|please)\s/i
/** Matches endings of employer and school names, which are not titles. */
const EMPLOYER =
  /\b(capital|ventures|holdings|inc|llc|llp|ltd|limited|plc|gmbh|ag|corp|corporation|bank|university|college|institute|school|hospital|foundation)\.?$/i
const DATE = /\b(19|20)\d\d\b|\b\d{1,2}:\d\d\b/
const SENTENCE = /[.!?]["”’)]?\s+\p{Lu}|[.!?]$/u
const VERBS = readPattern('titles/verbs', { flags: 'i' })

/** Scores a short phrase without known words by its letters. */
function unknownScore(text: string, unlatin: boolean, verbs: boolean): number {
  const { title } = classifyText(text)
  // A verb rules out a title only if the letters do not suggest one, because `i` is a pronoun in English and a
  // conjunction elsewhere.
  if (verbs && title < 0.4) return 0
  if (/^\p{Ll}/u.test(text)) return title >= 0.8 ? 0.5 : 0
  return title >= 0.7 ? 0.7 : title >= 0.4 ? 0.5 : unlatin ? 0.4 : 0.3
}

/**
 * Returns the likelihood, 0 to 1, that a text is a job title, based on its words. A short phrase that scores 0.5 is
 * treated as a title only if its position also suggests a title. Headings above several people, sentences, links and
 * addresses score 0.
 */
export function scoreTitle(written: string): number {
  const text = withoutLabel(written)
  const length = text.split(/\s+/).length
  if (text.length < 2 || text.length > 140 || length > 16) return 0
  if (LABEL.test(text) && !hasSureRole(text.split(/\s+/).at(-1) as string)) return 0
  if (NOT_A_TITLE.test(text) || CONTAINS_NO_TITLE.test(text) || /[“”"«»?!]|\.\.\.|…/.test(text)) return 0
  if (!/\p{L}{2}/u.test(text) || /\d{3}/.test(text) || DATE.test(text)) return 0
  if (
    SENTENCE.test(text.replace(/\b(Sr|Jr|Dr|St|Asst|Assoc|Dept|Inc|Mgr|Dir|Exec|Prof|med|Ph\.D|[A-Z])\./gi, '$1')) &&
    length > 3 &&
    !(length < 6 && classifySeniority(text) && !VERBS.test(text))
  )
    return 0
  if ((PLURAL_HEADING.test(text) && !NO_PLURAL_HEADING.test(text)) || PHRASE.test(text)) return 0
  const verbs = VERBS.test(text)
  if (verbs && length > 5) return 0
  const [seniority, department] = [classifySeniority(text), classifyDepartment(text)]
  const unlatin = !/\p{Script=Latin}/u.test(text)
  if (!seniority && !department && EMPLOYER.test(text)) return 0
  if (!seniority && !department) return length > 8 ? 0 : unknownScore(text, unlatin, verbs)
  let score =
    seniority && seniority !== 'staff'
      ? 0.95
      : seniority && (department || hasSureRole(text))
        ? 0.85
        : seniority
          ? 0.6
          : 0.5
  if (length > 9) score -= 0.2
  if (verbs) score -= 0.3
  if (/^\p{Ll}/u.test(text)) score -= 0.15
  return score
}
