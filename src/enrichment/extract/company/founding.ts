const SENTENCES = [
  /\b(?:founded|established|incorporated|started|formed|gegründet|fondée)\s+(?:in|im jahr|im|en)?\s*(?:(?:\w+\s+)(?:\d{1,2},?\s+)?)?((?:1[6-9]|20)\d{2})\b/i,
  /\b(?:founded|established|started|formed) (?:by [\p{Letter} .'-]{3,60} )?in ((?:1[6-9]|20)\d{2})\b/iu,
  /^(?:est\.?|estd\.?|since|seit|depuis|established|founded|founded in)\s*:?\s*((?:1[6-9]|20)\d{2})$/i,
  /\bsince (?:(?:our|its) (?:founding|inception|start) in )?((?:1[6-9]|20)\d{2}),? (?:we|our|the (?:firm|company))\b/i,
  /\b(?:we|firm|company|business) (?:has|have|was|were) (?:been )?[^.]{0,60}\bsince ((?:1[6-9]|20)\d{2})\b/i,
  /\bfounding year\s*:?\s*((?:1[6-9]|20)\d{2})\b/i,
]

/** The year in which a company began, by a sentence about its beginning. */
export function foundedYearInText(line: string, now: Date = new Date()): number | undefined {
  for (const sentence of SENTENCES) {
    const year = Number(sentence.exec(line)?.[1])
    if (year >= 1600 && year <= now.getUTCFullYear()) return year
  }
  return undefined
}

/** `1998`, `1998-05-01`, `May 1998`. */
export function yearOfDate(text: string): number | undefined {
  const year = Number(/\b(1[6-9]\d{2}|20\d{2})\b/.exec(text)?.[1])
  return Number.isNaN(year) ? undefined : year
}
