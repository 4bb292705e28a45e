import { CREDENTIALS } from '../names/name-words.ts'
import { parseName } from '../names/parse-name.ts'
import { scoreTitle } from '../titles/score-title.ts'
import { withoutLabel } from '../titles/title-text.ts'

/** Maximum score of a text that contains no word of a title. */
const NO_TITLE = 0.4
const LABEL = /^(\p{L}[^:：]{0,24}?)\s*[:：]\s*(?=\S)/u
/** Minimum number and share of titles that begin with a label. */
const MIN_LABELED = 2
const LABELED = 0.5

/**
 * Returns the titles on a page without what precedes them: the name's credentials (`PGCE – Head`) and a label, which is
 * known (`Position: Head`) or precedes most titles (`Tehtävä: toimitusjohtaja`).
 */
export function publishedTitles(titles: readonly string[]): string[] {
  const plain = titles.map((title) => withoutLabel(withoutCredentials(title)))
  const labels = Map.groupBy(plain, labelOf)
  return plain.map((title) => {
    const label = labelOf(title)
    const count = label === undefined ? 0 : (labels.get(label)?.length ?? 0)
    return count >= MIN_LABELED && count >= titles.length * LABELED ? title.replace(LABEL, '') : title
  })
}

function labelOf(title: string): string | undefined {
  const label = LABEL.exec(title)?.[1]
  return label !== undefined && scoreTitle(label) <= NO_TITLE ? label : undefined
}

/** Removes credentials before a dash: `MA (Oxon), PGCE – Head` -> `Head`. */
function withoutCredentials(title: string): string {
  const [, before, rest] = /^([^–—]{1,40}?)\s+[–—-]\s+(\S.*)$/u.exec(title) ?? []
  if (before === undefined || rest === undefined || scoreTitle(before) > NO_TITLE) return title
  const isCredentials =
    before.split(/[\s,]+/u).some((word) => CREDENTIALS.has(word.toLowerCase().replaceAll('.', ''))) &&
    [`Jane Roe ${before}`, `Jane Roe, ${before}`].some((text) => parseName(text)?.full_name === 'Jane Roe')
  return isCredentials ? rest : title
}
