import { readAlternatives } from '../vocabulary/read-words.ts'

const YEAR = '((?:1[6-9]|20)\\d{2})'
/** Matches the words between a verb and its year: `in`, `on May 4,`, `in the spring of`. */
const WHEN =
  '(?:in|on|im jahr|im|en|nel|el)?\\s*(?:the )?(?:(?:early|late|spring|summer|autumn|fall|winter) (?:of )?)?(?:\\p{Letter}+\\s+(?:\\d{1,2}(?:st|nd|rd|th)?,?\\s+)?)?(?:of )?'
const SENTENCES = [
  new RegExp(
    `(?<!\\p{L})(?:${readAlternatives('prose/founding-verbs')})\\s+(?:w|v|i|în|το|vuonna|roce)?\\s*(?:roce |roku |året |anul )?${WHEN}${YEAR}\\b`,
    'iu',
  ),
  new RegExp(`\\b(?:founded|established|started|formed) (?:by [\\p{Letter} .,&'’-]{3,80}? )in ${WHEN}${YEAR}\\b`, 'iu'),
  /^(?:est\.?|estd\.?|since|seit|depuis|established|founded|founded in)\s*:?\s*((?:1[6-9]|20)\d{2})$/i,
  /\bsince (?:(?:our|its) (?:founding|inception|start) in |(?:we|it) (?:launched|began|started|opened)(?: up)? in )?((?:1[6-9]|20)\d{2}),? (?:we|our|the (?:firm|company))\b/i,
  /\b(?:we|firm|company|business) (?:has|have|was|were) (?:been )?[^.]{0,60}\bsince ((?:1[6-9]|20)\d{2})\b/i,
  /\b(?:seit|depuis|sinds|desde|dal) ((?:1[6-9]|20)\d{2})\b[^.]{0,30}\b(?:wir|nous|we|wij)\b/i,
  /(?<!\p{L})((?:1[6-9]|20)\d{2})(?: yılında kurul|(?:-ben|-ban)? alapít|年[^。]{0,4}(?:創業|設立)|년에? (?:설립|창립)|[^.]{0,40} gegründet)/u,
  /\bfounding year\s*:?\s*((?:1[6-9]|20)\d{2})\b/i,
  new RegExp(`\\bincorporated\\s+${WHEN}${YEAR}\\b`, 'iu'),
]

/** Finds the founding year in a sentence such as `Founded in 1998`. */
export function foundedYearInText(line: string, now: Date = new Date()): number | undefined {
  for (const sentence of SENTENCES) {
    const year = Number(sentence.exec(line)?.[1])
    if (year >= 1600 && year <= now.getUTCFullYear()) return year
  }
  return undefined
}

/** Returns the year in a date such as `1998`, `1998-05-01` or `May 1998`. */
export function yearOfDate(text: string): number | undefined {
  const year = Number(/\b(1[6-9]\d{2}|20\d{2})\b/.exec(text)?.[1])
  return Number.isNaN(year) ? undefined : year
}
