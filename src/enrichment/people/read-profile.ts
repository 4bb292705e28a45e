import type { Page } from '../extract/page.ts'
import { linesOf } from '../extract/page.ts'
import { scoreTitle } from './titles/score-title.ts'

const MAX_TITLE = 100
const MIN_SCORE = 0.6

/**
 * Finds the title on a person's profile page: the line after or before the name. The name is known from the link to the
 * page. Returns null if the page has no title.
 */
export function readProfileTitle({ $ }: Page, name: string): string | null {
  const lines = linesOf($('body'))
  for (const [index, line] of lines.entries()) {
    if (line.toLowerCase() !== name.toLowerCase()) continue
    for (const beside of [lines[index + 1], lines[index - 1]])
      if (beside && beside.length <= MAX_TITLE && scoreTitle(beside) >= MIN_SCORE) return beside
  }
  return null
}
