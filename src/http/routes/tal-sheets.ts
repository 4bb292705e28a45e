import { Type } from 'typebox'
import { audited } from '../../audit/audit-log.ts'
import { resolveClientId } from '../../auth/caller.ts'
import { readProvenanceOf } from '../../companies/company-provenance.ts'
import { documented } from '../../contract/documented.ts'
import type { TalEntry } from '../../contract/tal.ts'
import { TAL_PAGE_MAXIMUM } from '../../contract/tal.ts'
import {
  IMPORT_ROWS_MAXIMUM,
  SHEET_BYTES_MAXIMUM,
  TalExportQuery,
  TalImport,
  TalImportQuery,
} from '../../contract/tal-sheets.ts'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../lib/errors.ts'
import { matchCompanies } from '../../matching/match-companies.ts'
import { parseFields } from '../../spreadsheets/company-columns.ts'
import { findColumns } from '../../spreadsheets/find-columns.ts'
import { entriesOf, summarize } from '../../spreadsheets/list-entries.ts'
import { matchRows } from '../../spreadsheets/match-rows.ts'
import { readSheet } from '../../spreadsheets/read-sheet.ts'
import { exportList } from '../../spreadsheets/write-list.ts'
import { addMembers, listMembers } from '../../tal/tal-members.ts'
import { actorOf } from '../actor.ts'
import type { App, AppDeps } from '../deps.ts'
import { visibleTo } from '../plugins/contact-masking.ts'
import { errorReplies } from '../plugins/documented-errors.ts'

const params = Type.Object({
  client_id: Type.String({ description: 'Your client ID or `me`.', examples: ['me'] }),
})
const tags = ['target account lists']
/** The body is not validated, because the handler receives raw bytes and detects their encoding. */
const CsvFile = documented(Type.Unsafe<Buffer>({ description: 'A CSV file with a header row.' }), {
  type: 'string',
  format: 'binary',
})

/** Routes that import and export a client's list as CSV. Free. */
export function talSheetRoutes(api: App, { db, freshDays }: AppDeps): void {
  api.register(async (scope) => {
    scope.addContentTypeParser(
      'text/csv',
      { parseAs: 'buffer', bodyLimit: SHEET_BYTES_MAXIMUM },
      (_request: unknown, body: Buffer, done: (error: Error | null, body: Buffer) => void) => done(null, body),
    )
    importRoute(scope as unknown as App, db)
  })

  api.get(
    '/v2/clients/:client_id/tal/export',
    {
      config: { scope: 'lists' },
      schema: {
        tags,
        operationId: 'exportTal',
        summary: 'Export a target account list as CSV',
        description:
          'Returns the list as CSV: the domain, the attributes of the entries, and the chosen company fields. Cells that a spreadsheet would evaluate as formulas are prefixed with an apostrophe. Free. talhouse extension.',
        params,
        querystring: TalExportQuery,
        response: {
          200: { description: 'The list', content: { 'text/csv': { schema: Type.String() } } },
          ...errorReplies(404),
        },
      },
    },
    async ({ caller, params, query }, reply) => {
      const clientId = resolveClientId(caller, params.client_id)
      const choice = { fields: parseFields(query.fields), provenance: query.include_provenance }
      const entries = await allEntries(db, clientId, { freshDays, withProvenance: choice.provenance })
      return await reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="target-account-list.csv"')
        .send(exportList(visibleTo(caller, entries), choice))
    },
  )
}

function importRoute(api: App, db: Db): void {
  api.post(
    '/v2/clients/:client_id/tal/import',
    {
      bodyLimit: SHEET_BYTES_MAXIMUM,
      config: { scope: 'lists' },
      schema: {
        tags,
        operationId: 'importTal',
        summary: 'Import a CSV file into a target account list',
        description: `Finds each row's company by domain, name, place or identifier, and adds the company to the list. Other columns are stored as attributes. A dry run returns the same counts and rows without adding companies. At most ${IMPORT_ROWS_MAXIMUM} rows. Free. talhouse extension.`,
        params,
        querystring: TalImportQuery,
        body: { content: { 'text/csv': { schema: CsvFile } } },
        response: { 200: TalImport, ...errorReplies(404, 413, 422) },
      },
    },
    async (request) => {
      const clientId = resolveClientId(request.caller, request.params.client_id)
      const { dry_run, domain_column, name_column, include_doubtful, doubtful_rows, source } = request.query
      if (!Buffer.isBuffer(request.body) || request.body.length === 0)
        throw new AppError('unprocessable', 'Send the file as the body, with Content-Type: text/csv.')
      const sheet = readSheet(request.body)
      if (sheet.rows.length > IMPORT_ROWS_MAXIMUM)
        throw new AppError(
          'unprocessable',
          `The file has ${sheet.rows.length} rows; send at most ${IMPORT_ROWS_MAXIMUM}.`,
        )
      const columns = findColumns(sheet, { domain: domain_column, name: name_column })
      const results = await matchRows(sheet, columns, (companies) => matchCompanies(db, clientId, companies))
      const report = { dry_run, ...summarize(sheet, columns, results), added: 0, updated: 0 }
      const accepted = new Set(doubtful_rows?.split(',').map(Number))
      const entries = entriesOf(sheet, columns, results, (row) => include_doubtful || accepted.has(row))
      if (dry_run || entries.length === 0) return report
      const change = {
        action: 'list.import',
        target: clientId,
        details: ({ added, updated }: TalImport) => ({ added, updated, rows: report.rows, source: source ?? null }),
      }
      return await audited(db, actorOf(request), change, async (trx) => {
        const { added, updated } = await addMembers(trx, clientId, { entries, source })
        return { ...report, added: added.length, updated: updated.length }
      })
    },
  )
}

async function allEntries(
  db: Db,
  clientId: string,
  { freshDays, withProvenance }: { freshDays: number; withProvenance: boolean },
): Promise<TalEntry[]> {
  const entries: TalEntry[] = []
  for (;;) {
    const page = await listMembers(db, clientId, { limit: TAL_PAGE_MAXIMUM, offset: entries.length, freshDays })
    const domains = page.companies.map(({ domain }) => domain)
    if (withProvenance && domains.length > 0) {
      const provenance = await readProvenanceOf(db, domains)
      entries.push(
        ...page.companies.map((company) => ({ ...company, provenance: provenance.get(company.domain) ?? {} })),
      )
    } else entries.push(...page.companies)
    if (domains.length === 0 || entries.length >= page.total) return entries
  }
}
