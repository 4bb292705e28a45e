import type { Page } from '../../extract/page.ts'
import { parsePage, textOf } from '../../extract/page.ts'
import { readScriptData } from '../../extract/script-data.ts'

/** Pages with less visible text than this are drawn by scripts. */
const LITTLE_TEXT = 200
const MAX_LINES = 2000
const MAX_LINE = 2000
const MAX_NODES = 20_000

/** Whether the page has almost no visible text. */
export const isDrawnByScripts = ({ $ }: Page): boolean => textOf($('body')).length < LITTLE_TEXT

/**
 * Returns a page that shows the texts in its script data, one paragraph each, if the page itself has almost no text.
 * The texts of quotations are omitted, because they are about other companies. Returns other pages unchanged.
 */
export function withScriptText(page: Page): Page {
  if (!isDrawnByScripts(page)) return page
  const lines = textsIn(readScriptData(page))
  if (lines.length === 0) return page
  const shown = parsePage(page.$.html(), page.url)
  for (const line of lines) shown.$('body').append(shown.$('<p>').text(line))
  return shown
}

function textsIn(data: readonly unknown[]): string[] {
  const lines: string[] = []
  const stack = data.toReversed()
  for (let nodes = 0; stack.length > 0 && nodes < MAX_NODES && lines.length < MAX_LINES; nodes++) {
    const next = stack.pop()
    if (typeof next === 'string') {
      if (isText(next)) lines.push(next.slice(0, MAX_LINE))
    } else if (typeof next === 'object' && next !== null)
      for (const [key, value] of Object.entries(next).toReversed())
        if (!/quote|testimonial|review/i.test(key)) stack.push(value)
  }
  return lines
}

/** Whether a string is shown to readers: not a URL, a path, an identifier or a style. */
const isText = (text: string): boolean =>
  text.length > 2 && !/^(?:https?:|\/|#|data:|[\w.-]*_[\w.-]*$)|[{};]|^[\da-f-]{16,}$/i.test(text)
