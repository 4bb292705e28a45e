import { foldAccents } from '../../../lib/fold-accents.ts'

/** Removes a label before the title: `Job title: CEO` becomes `CEO`. */
export const withoutLabel = (title: string): string =>
  title.replace(
    /^(?:(?:job |current )?(?:title|position|role|designation)|function|funktion|cargo|puesto|fonction|poste)\s*[:–-]\s*(?=\S)/i,
    '',
  )

/**
 * Converts a title to lower case, removes accents and the dots in abbreviations (`C.E.O.` becomes `ceo`), and
 * normalizes dashes and quotation marks.
 */
export function plainTitle(title: string): string {
  const spelled = title
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replace(/[®™©]/g, '')
  return foldAccents(spelled)
    .replace(/[‐‑‒–—―]/g, '-')
    .replace(/[’‘`]/g, "'")
    .replace(/(?<=\b[a-z])\.(?=[a-z]\b\.?)/g, '')
    .replace(/\b(sr|jr|dir|mgr|asst|assoc|vp|svp|evp|exec|mktg|dept|gen|intl|natl|ops|eng|co)\./g, '$1')
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
}

const ABBREVIATIONS: [RegExp, string][] = [
  [/\bsr\b/g, 'senior'],
  [/\bsnr\b/g, 'senior'],
  [/\bjr\b/g, 'junior'],
  [/\b(dir|dirctor)\b/g, 'director'],
  [/\b(mgr|mngr)\b/g, 'manager'],
  [/\bmgmt\b/g, 'management'],
  [/\b(asst|ass't)\b/g, 'assistant'],
  [/\bassoc\b/g, 'associate'],
  [/\bexec\b/g, 'executive'],
  [/\bvice[- ]+pres(ident)?\b/g, 'vice president'],
  [/\bv\.? ?p\b/g, 'vice president'],
  [/\bs\.?vp\b/g, 'senior vice president'],
  [/\be\.?vp\b/g, 'executive vice president'],
  [/\ba\.?vp\b/g, 'assistant vice president'],
  [/\brvp\b/g, 'regional vice president'],
  [/\bpres\b/g, 'president'],
  [/\bhr\b/g, 'human resources'],
  [/\bit\b/g, 'information technology'],
  [/\bbiz ?dev\b/g, 'business development'],
  [/\bmktg\b/g, 'marketing'],
  [/\b(ops)\b/g, 'operations'],
  [/\bintl\b/g, 'international'],
  [/\br ?(&|and) ?d\b/g, 'research-development'],
  [/\bresearch (&|and) development\b/g, 'research-development'],
  [/\bq ?a\b/g, 'quality assurance'],
  [/\bp ?(&|and) ?l\b/g, 'profit-loss'],
  [/\bfp ?(&|and) ?a\b/g, 'financial-planning-analysis'],
  [/\bfinancial planning (&|and) analysis\b/g, 'financial-planning-analysis'],
  [/\bm ?(&|and) ?a\b/g, 'mergers-acquisitions'],
  [/\bco-? ?(?=founder|owner|ceo|chief|president|chair|managing|head|director|portfolio)/g, ''],
  [/\bcofond/g, 'fond'],
  [/\bcofund/g, 'fund'],
]

/** Returns the plain title with common abbreviations expanded. */
export function expandTitle(title: string): string {
  return ABBREVIATIONS.reduce((text, [short, long]) => text.replace(short, long), plainTitle(title))
}

/**
 * Matches the employer or superior after a title: `to the CEO` in `Assistant to the CEO`, `at Acme` in `CEO at Acme`.
 */
const EMPLOYER = /\s(to|for the office of)\s(the\s)?(?=\S)(?!.*\bclients?\b).*$|\s(at|@|bei|chez)\s.*$/

/** Splits a title such as `Founder & CEO` into its positions, in order and with abbreviations expanded. */
export function titleSegments(title: string): string[] {
  return expandTitle(title)
    .replace(/\((.*?)\)/g, ' , $1 , ')
    .split(
      /\s*(?:[,;/|•·+&:]|\s-+\s|\band\b|\bund\b|\bet\b|\by\b|(?<=[a-z]) e (?=[a-z])|\bsowie\b|\ben\b(?= (?!chef\b)[a-z]))\s*/,
    )
    .map((segment) => segment.replace(EMPLOYER, '').replace(/^[-\s]+|[-\s.]+$/g, ''))
    .filter((segment) => segment.length > 0)
}
