import type { TalImport } from '../../../src/contract/tal-sheets.ts'
import { upload, withQuery } from '../../lib/http.ts'
import { splitCsv } from './split-csv.ts'

const PATH = '/v2/clients/me/tal/import'
/** Maximum number of rows per request. */
const ROWS_PER_REQUEST = 2_000

interface ImportOptions {
  dry_run?: boolean
  source?: string
  /** Headings of the domain and name columns. @default detected */
  columns?: { domain?: string; name?: string }
  /** Row numbers of the doubtful matches to add. */
  accepted: ReadonlySet<number>
  onProgress: (done: number, total: number) => void
}

/**
 * Imports a CSV file of any length in several requests, and returns their results with the file's row numbers. If a
 * request fails, the rows of earlier requests are already on the list, and importing the file again adds only the rest.
 */
export async function importFile(
  file: Blob,
  { accepted, onProgress, columns = {}, ...query }: ImportOptions,
): Promise<TalImport> {
  const parts = splitCsv(new Uint8Array(await file.arrayBuffer()), ROWS_PER_REQUEST)
  const imports: TalImport[] = []
  for (const [index, part] of parts.entries()) {
    onProgress(index, parts.length)
    const before = index * ROWS_PER_REQUEST
    // Row 1 of every part is the header row.
    const doubtful = [...accepted].map((row) => row - before).filter((row) => row > 1 && row <= ROWS_PER_REQUEST + 1)
    // All parts use the columns that were detected in the first part.
    const { domain: domain_column, name: name_column } = imports[0]?.columns ?? columns
    const path = withQuery(PATH, { ...query, domain_column, name_column, doubtful_rows: doubtful.join(',') })
    const one = await upload<TalImport>(path, new Blob([part]))
    imports.push({ ...one, results: one.results.map((result) => ({ ...result, row: result.row + before })) })
  }
  return join(imports)
}

function join(imports: readonly TalImport[]): TalImport {
  const [first] = imports as [TalImport]
  const total = (field: 'rows' | 'matched' | 'doubtful' | 'unknown' | 'blank' | 'added' | 'updated') =>
    imports.reduce((sum, one) => sum + one[field], 0)
  const rows = new Map<string, number>()
  const results = imports
    .flatMap((one) => one.results)
    .map((result) => {
      if (result.status !== 'matched' || result.domain === null) return result
      const earlier = rows.get(result.domain)
      if (earlier === undefined) rows.set(result.domain, result.row)
      return { ...result, duplicate_of: earlier ?? null }
    })
  return {
    ...first,
    rows: total('rows'),
    matched: total('matched'),
    doubtful: total('doubtful'),
    unknown: total('unknown'),
    blank: total('blank'),
    duplicates: results.filter(({ status, duplicate_of }) => status === 'matched' && duplicate_of !== null).length,
    added: total('added'),
    updated: total('updated'),
    results,
  }
}
