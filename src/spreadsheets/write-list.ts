import type { TalAttributes } from '../contract/tal.ts'
import type { ColumnChoice, SheetCompany } from './company-columns.ts'
import { companyColumns } from './company-columns.ts'
import { BYTE_ORDER_MARK, freeHeadings, sheetText } from './write-sheet.ts'

/**
 * Writes a list as CSV. The columns are the domain, the attributes in order of first appearance, and the chosen fields.
 */
export function exportList(
  entries: readonly (SheetCompany & { attributes: TalAttributes })[],
  choice: ColumnChoice,
): string {
  const attributes = [...new Set(entries.flatMap((entry) => Object.keys(entry.attributes)))].filter(
    (name) => name.toLowerCase() !== 'domain',
  )
  const columns = companyColumns(choice)
  const headings = freeHeadings(
    columns.map(({ heading }) => heading),
    ['domain', ...attributes],
  )
  const rows = entries.map((entry) => [
    entry.domain,
    ...attributes.map((name) => entry.attributes[name] ?? ''),
    ...columns.map(({ cell }) => cell(entry)),
  ])
  return BYTE_ORDER_MARK + sheetText([['domain', ...attributes, ...headings], ...rows])
}
