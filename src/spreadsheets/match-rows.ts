import { normalizeDomain } from '../companies/normalize-domain.ts'
import type { CompanyMatch, CompanyToMatch, MatchCandidate } from '../contract/match.ts'
import { MATCH_FIELDS, MATCH_MAXIMUM } from '../contract/match.ts'
import type { TalImportRow } from '../contract/tal-sheets.ts'
import { chunk } from '../lib/chunk.ts'
import { AppError } from '../lib/errors.ts'
import type { SheetColumns } from './find-columns.ts'
import type { Sheet, SheetRow } from './read-sheet.ts'

/** Matches up to 100 companies, and returns the matches in the same order. Runs in this process or through the API. */
export type Matcher = (companies: CompanyToMatch[]) => Promise<CompanyMatch[]>

/** Maximum length of a cell in the match request. Longer cells are truncated. */
const CELL_MAXIMUM = 500

/**
 * Finds the company for each row. A row with a domain matches the company with this domain. The match is doubtful if
 * the row's name clearly belongs to another company. Rows without a domain are matched by name, place and identifiers.
 * `onProgress` receives the number of processed rows.
 */
export async function matchRows(
  { rows }: Sheet,
  columns: SheetColumns,
  match: Matcher,
  onProgress: (rows: number) => void = () => undefined,
): Promise<TalImportRow[]> {
  const results = new Map<number, MatchedRow>()
  const open: { row: number; company: CompanyToMatch; badDomain: string | null }[] = []
  for (const sheetRow of rows) {
    const { company, badDomain } = readCompany(sheetRow, columns)
    const fields = Object.keys(company)
    if (sheetRow.cells.every(isEmpty)) results.set(sheetRow.row, blank(sheetRow.row))
    else if (fields.length === 1 && company.domain) results.set(sheetRow.row, matched(sheetRow.row, company.domain))
    else if (isSearchable(company)) open.push({ row: sheetRow.row, company, badDomain })
    else results.set(sheetRow.row, unknown(sheetRow.row, badDomain ?? 'The row has no domain and no name.'))
  }
  onProgress(results.size)
  for (const part of chunk(open, MATCH_MAXIMUM)) {
    const matches = await match(part.map(({ company }) => company))
    for (const [index, { row, company, badDomain }] of part.entries())
      results.set(row, judge(row, company, matches[index] as CompanyMatch, badDomain))
    onProgress(results.size)
  }
  return markDuplicates(
    rows.map((sheetRow) => ({ ...(results.get(sheetRow.row) as MatchedRow), given: readGiven(sheetRow, columns) })),
  )
}

/** The result for a row before the row's cells are added. */
type MatchedRow = Omit<TalImportRow, 'given'>

const isEmpty = (cell: string): boolean => cell.trim() === ''

/** Number of cells that identify a row in the results. */
const GIVEN_CELLS = 2

/** Returns the row's name and domain or, if both are blank, its first values, as written in the file. */
function readGiven({ cells }: SheetRow, { name, domain }: SheetColumns): string | null {
  const identifying = [name, domain].flatMap((index) => (index === undefined ? [] : [cells[index] as string]))
  const given = identifying.every(isEmpty) ? cells : identifying
  const filled = given.filter((cell) => !isEmpty(cell)).slice(0, GIVEN_CELLS)
  return (
    filled
      .map((cell) => cell.trim())
      .join(', ')
      .slice(0, CELL_MAXIMUM) || null
  )
}

function readCompany(
  { cells }: SheetRow,
  columns: SheetColumns,
): { company: CompanyToMatch; badDomain: string | null } {
  let badDomain: string | null = null
  const given = MATCH_FIELDS.flatMap((field): [string, unknown][] => {
    const index = columns[field]
    const cell = index === undefined ? '' : (cells[index] as string).trim().slice(0, CELL_MAXIMUM)
    if (cell === '') return []
    if (field === 'crd_number') return /^\d{1,9}$/.test(cell) && Number(cell) > 0 ? [[field, Number(cell)]] : []
    if (field !== 'domain') return [[field, cell]]
    try {
      return [[field, normalizeDomain(cell)]]
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      badDomain = `${error.message}.`
      return []
    }
  })
  return { company: Object.fromEntries(given), badDomain }
}

const isSearchable = ({ name, domain, lei, cik, crd_number }: CompanyToMatch): boolean =>
  [name, domain, lei, cik, crd_number].some((value) => value != null)

function judge(row: number, company: CompanyToMatch, match: CompanyMatch, badDomain: string | null): MatchedRow {
  if (company.domain) return judgeWithDomain(row, company.domain, match)
  const [best] = likeliestByDomain(match.candidates)
  if (!best || match.status === 'no_match')
    return unknown(row, badDomain ?? 'No stored company has this name. Add its domain to the row.')
  const { candidate, likelihood } = best
  const found = { row, likelihood, matched_name: candidate.matched_name ?? candidate.name, duplicate_of: null }
  if (candidate.domain === null)
    return {
      ...unknown(row, `${candidate.legal_name ?? candidate.name} (CRD ${candidate.crd_number}) has no known website.`),
      ...found,
    }
  const isSure = match.status === 'matched' || likelihood >= SURE
  return {
    ...found,
    status: isSure ? 'matched' : 'doubtful',
    domain: candidate.domain,
    reason: isSure ? badDomain : `Possible match: ${candidate.name ?? candidate.legal_name}.`,
  }
}

/** Minimum total likelihood at which candidates with the same domain are accepted as a match. */
const SURE = 0.95

/**
 * Groups candidates by domain and adds up their likelihoods, because candidates with the same domain become one list
 * entry. Returns the most likely domain first.
 */
function likeliestByDomain(candidates: readonly MatchCandidate[]) {
  const groups = Map.groupBy(candidates, ({ domain, crd_number }) => domain ?? crd_number)
  return [...groups.values()]
    .map((group) => ({
      candidate: group[0] as MatchCandidate,
      likelihood: Number(group.reduce((sum, { likelihood }) => sum + likelihood, 0).toFixed(4)),
    }))
    .toSorted((a, b) => b.likelihood - a.likelihood)
}

/** Accepts the row's domain. The match is doubtful if the row's name clearly belongs to another company. */
function judgeWithDomain(row: number, domain: string, { status, candidates }: CompanyMatch): MatchedRow {
  const [best] = likeliestByDomain(candidates)
  const own = candidates.find((candidate) => candidate.domain === domain)
  const other = best?.candidate.domain ?? null
  if (status !== 'matched' || best === undefined || other === null || other === domain)
    return { ...matched(row, domain), matched_name: own?.name ?? null }
  const { name, legal_name } = best.candidate
  const reason = `The name matches ${name ?? legal_name} (${other}), but the domain is ${domain}.`
  return { ...matched(row, domain), status: 'doubtful', reason }
}

const blank = (row: number): MatchedRow => ({ ...unknown(row, 'The row is blank.'), status: 'blank' })

const matched = (row: number, domain: string): MatchedRow => ({
  row,
  status: 'matched',
  domain,
  likelihood: 1,
  matched_name: null,
  duplicate_of: null,
  reason: null,
})

const unknown = (row: number, reason: string): MatchedRow => ({
  row,
  status: 'unknown',
  domain: null,
  likelihood: null,
  matched_name: null,
  duplicate_of: null,
  reason,
})

function markDuplicates(results: TalImportRow[]): TalImportRow[] {
  const first = new Map<string, number>()
  return results.map((result) => {
    if (result.domain === null || result.status === 'doubtful') return result
    const earlier = first.get(result.domain)
    if (earlier === undefined) first.set(result.domain, result.row)
    return { ...result, duplicate_of: earlier ?? null }
  })
}
