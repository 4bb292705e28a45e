import type { Page } from '../extract/page.ts'
import { linesOf, textOf } from '../extract/page.ts'

/** Facts that a page lists as labels and values, such as `Founded: 1954`. The values are kept as published. */
export interface FactSheet {
  legalName?: string
  industry?: string
  employees?: string
  founded?: string
  headquarters?: string
}

const LABELS: Record<keyof FactSheet, RegExp> = {
  legalName: /^(?:(?:full )?legal (?:company )?name|registered (?:company )?name|legal entity)$/i,
  industry: /^(?:industry|industries|sector|branche)$/i,
  employees: /^(?:employees|number of employees|headcount|team size|company size|staff|workforce|mitarbeiter)$/i,
  founded:
    /^(?:founded|year founded|founded in|established|year established|founding year|est\.?|inception|gegründet)$/i,
  headquarters: /^(?:headquarters|head office|hq|corporate headquarters|main office|hauptsitz|siège social)$/i,
}

/** Reads two-column tables, definition lists and `Label: value` lines. Keeps the first value of each fact. */
export function factSheetOf({ $ }: Page): FactSheet {
  const sheet: FactSheet = {}
  for (const [label, value] of [...pairsOf($), ...linesOf($('body')).map(splitLine)]) {
    const name = label.trim().replace(/\s*:$/, '')
    const field = (Object.keys(LABELS) as (keyof FactSheet)[]).find((one) => LABELS[one].test(name))
    if (field && value && value.length <= 120) sheet[field] ??= value
  }
  return sheet
}

function pairsOf($: Page['$']): [string, string][] {
  const terms = $('dt')
    .toArray()
    .map((term): [string, string] => [textOf(term), textOf($(term).next('dd'))])
  const rows = $('tr')
    .toArray()
    .map((row) =>
      $(row)
        .children('th, td')
        .toArray()
        .map((cell) => textOf(cell)),
    )
    .filter((cells): cells is [string, string] => cells.length === 2)
  return [...terms, ...rows]
}

function splitLine(line: string): [string, string] {
  const [, label = '', value = ''] = /^([^:]{2,30}):\s*(.+)$/.exec(line) ?? []
  return [label, value]
}
