import type { StagedFirm } from '../firms/staged-firm.ts'
import { CellError, tidyItem } from './cell-values.ts'
import { SEC_NUMBER } from './roster-columns.ts'
import type { RosterLayout } from './roster-layout.ts'
import { readWebAddresses } from './web-address.ts'

export interface FoundRow {
  line: number
  cells: readonly string[]
  /** All website addresses, if the source lists several. */
  webAddresses?: readonly string[]
  /** Items without a column in the layout. */
  moreItems?: Record<string, string>
}

/**
 * Builds a firm from a row. Returns an invalid row with its rejection reason for quarantine, for example if the filing
 * date is after `latestDay` (YYYY-MM-DD).
 */
export function buildFirm(found: FoundRow, layout: RosterLayout, latestDay: string): StagedFirm {
  const cells = withoutTrailingCell(found.cells, layout)
  const firm: StagedFirm = { line: found.line, reason: null, row: null, values: {}, items: {} }
  try {
    if (cells.length !== layout.width)
      throw new CellError(`has ${cells.length} columns, but the header row has ${layout.width}`)
    readTyped(firm, cells, layout)
    readJoinedAddress(firm, cells, layout)
    refuseWithoutKeys(firm)
    firm.values.firm_type ??= String(firm.values.sec_number).startsWith('802') ? 'exempt' : 'registered'
    if (String(firm.values.latest_filing_date ?? '') > latestDay)
      throw new CellError(`Latest ADV Filing Date: ${String(firm.values.latest_filing_date)} is in the future`)
    readAddresses(firm, cells, layout, found.webAddresses)
    for (const { heading, index } of layout.items) {
      const item = tidyItem(cells[index] as string)
      if (item) firm.items[heading] = item
    }
    Object.assign(firm.items, found.moreItems)
    return firm
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    return {
      line: found.line,
      reason: error.message,
      row: rowAsFound(cells, layout),
      values: keysOf(cells, layout),
      items: {},
    }
  }
}

/** Drops the empty cell after a trailing delimiter. In early files, some lines end with a delimiter. */
function withoutTrailingCell(cells: readonly string[], layout: RosterLayout): readonly string[] {
  const trailing = layout.trailingDelimiter && cells.length === layout.width + 1 && cells.at(-1)?.trim() === ''
  return trailing ? cells.slice(0, -1) : cells
}

function readTyped(firm: StagedFirm, cells: readonly string[], layout: RosterLayout): void {
  for (const { field, heading, index, parse } of layout.typed) {
    try {
      const cell = cells[index] as string
      const value = parse(cell)
      firm.values[field] = value
      if (value === null && cell.trim() !== '') firm.items[heading] = tidyItem(cell)
    } catch (error) {
      throw error instanceof CellError ? new CellError(`${heading}: ${error.message}`) : error
    }
  }
}

function refuseWithoutKeys({ values }: StagedFirm): void {
  if (!values.crd_number) throw new CellError(values.crd_number === 0 ? 'the CRD number is 0' : 'has no CRD number')
  if (!values.sec_number) throw new CellError('has no SEC number')
  if (!SEC_NUMBER.test(String(values.sec_number)))
    throw new CellError(`SEC#: "${String(values.sec_number).slice(0, 40)}" is not a number such as 801-12345`)
  if (!values.legal_name && !values.business_name) throw new CellError('has no name')
}

/** Matches `WILLIAMSVILLE, NY 14221` and `LONDON, , EC2A 4NE`. */
const JOINED_ADDRESS = /^(.*?)\s*,\s*([A-Z]{2})?\s*,?\s*([\dA-Z][\dA-Z -]*)?$/i

function readJoinedAddress({ values }: StagedFirm, cells: readonly string[], layout: RosterLayout): void {
  if (layout.joinedAddressIndex === undefined) return
  const joined = (cells[layout.joinedAddressIndex] as string).trim()
  const [, city, state, postalCode] = JOINED_ADDRESS.exec(joined) ?? [undefined, joined]
  values.city = city || null
  values.state = state?.toUpperCase() ?? null
  values.postal_code = postalCode?.trim() || null
}

function readAddresses(
  firm: StagedFirm,
  cells: readonly string[],
  layout: RosterLayout,
  all?: readonly string[],
): void {
  if (layout.websiteIndex === undefined && !all) return
  const cell = layout.websiteIndex === undefined ? '' : (cells[layout.websiteIndex] as string)
  Object.assign(firm.values, readWebAddresses(all ?? [cell]))
}

/** Reads the identifiers of a rejected row, so that its firm does not count as missing. */
function keysOf(cells: readonly string[], layout: RosterLayout): StagedFirm['values'] {
  const cell = (field: string) =>
    cells[layout.typed.find((column) => column.field === field)?.index ?? -1]?.trim() ?? ''
  const crd = cell('crd_number')
  const sec = cell('sec_number')
  return {
    crd_number: /^[1-9]\d{0,8}$/.test(crd) ? Number(crd) : null,
    sec_number: SEC_NUMBER.test(sec) ? sec : null,
  }
}

function rowAsFound(cells: readonly string[], layout: RosterLayout): Record<string, string> {
  // In a row with the wrong number of cells, any cell may contain personal data. If the layout has personal columns,
  // only identifiers and names are kept.
  const trusted = cells.length === layout.width
  const keys = new Set(
    layout.typed
      .filter(({ field }) => /^(crd_number|sec_number|legal_name|business_name)$/.test(field))
      .map(({ index }) => index),
  )
  const kept = cells.flatMap((cell, index): [string, string][] => {
    const known = layout.headings[index] !== undefined && !layout.personal.has(index)
    const keep = trusted ? known : layout.personal.size === 0 || keys.has(index)
    return keep && cell.trim() ? [[layout.headings[index] ?? String(index + 1), cell.slice(0, 2_000)]] : []
  })
  return Object.fromEntries(kept)
}
