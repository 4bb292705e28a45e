import type { FirmQueryInput } from '../../../client/index.ts'
import { createClient } from '../../../client/index.ts'
import type { FirmQuery } from '../../../contract/firms.ts'
import { FIRM_PAGE_MAXIMUM } from '../../../contract/firms.ts'
import { createCountMemo } from '../../../firms/count-memo.ts'
import { parseFirmQuery } from '../../../firms/parse-query.ts'
import { queryFirms } from '../../../firms/query.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Command } from '../../support/command.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import type { Format, Row } from '../../support/output.ts'
import { formatRows } from '../../support/output.ts'
import { createProgress } from '../../support/progress.ts'
import { serviceAddress } from '../../support/service-key.ts'
import { escapeFormulas, requireCsv } from '../../support/spreadsheet.ts'

interface Arguments {
  select: string[]
  filter: string[]
  order: string
  limit: number
  all: boolean
  format: Format
  spreadsheet: boolean
}

/** A page of firms. Services other than talhouse may omit the cursor. */
interface Page {
  data: unknown[]
  total_count?: number
  next_cursor?: string | null
}

type FetchPage = (query: FirmQuery) => Promise<Page>

export const query: Handler<Arguments> = async (command, args) => {
  requireCsv(args.spreadsheet, args.format)
  const wanted = args.all ? Number.POSITIVE_INFINITY : args.limit
  const { select } = args
  const filters = parseFilters(args.filter)
  await using stack = new AsyncDisposableStack()
  const fetchPage = await openFirms(command, stack)
  const { firms, total } = await collect(command, fetchPage, { select, filters, order: args.order }, wanted)
  command.out.result({ data: firms, total_count: total }, () =>
    formatRows(args.spreadsheet ? escapeFormulas(firms, select) : firms, args.format, select),
  )
  if (args.format === 'table' && firms.length < total)
    command.out.note(`${firms.length} of ${total} firms. Use --limit or --all to show more.`)
}

/** Reads pages over HTTP, or from the service database if no API key is configured. */
async function openFirms(command: Command, stack: AsyncDisposableStack): Promise<FetchPage> {
  const { config, signal } = command
  const { service_api_key: apiKey } = config.secrets
  if (!apiKey) {
    if (config.service.base_url)
      throw new AppError(
        'configuration',
        'TALHOUSE_SERVICE_BASE_URL is set without an API key. Also set TALHOUSE_SERVICE_API_KEY.',
      )
    const service = stack.use(await openService(command))
    const memo = createCountMemo()
    return (query) => queryFirms(service, parseFirmQuery(query), memo)
  }
  const client = createClient({ baseUrl: serviceAddress(command), apiKey, signal })
  // The service validates the user's input.
  return (query) => client.firms.query(query as FirmQueryInput)
}

async function collect(
  { json, signal }: Command,
  fetchPage: FetchPage,
  query: FirmQuery,
  wanted: number,
): Promise<{ firms: Row[]; total: number }> {
  const firms: Row[] = []
  let total = 0
  let cursor: string | undefined
  const progress = wanted > FIRM_PAGE_MAXIMUM ? createProgress('firms', json) : undefined
  try {
    do {
      signal.throwIfAborted()
      const limit = Math.min(wanted - firms.length, FIRM_PAGE_MAXIMUM)
      const page = await fetchPage({ ...query, limit, ...(cursor && { cursor }) })
      firms.push(...(page.data as Row[]))
      total = page.total_count ?? firms.length
      cursor = page.next_cursor ?? undefined
      progress?.update(firms.length, Math.min(wanted, total))
      if (!cursor && firms.length < Math.min(wanted, total))
        throw new AppError('incomplete', `The service returned ${firms.length} of ${total} firms and no cursor.`)
    } while (cursor && firms.length < wanted)
  } finally {
    progress?.stop()
  }
  return { firms, total }
}

/** Parses `region=eq.NYRO`; several filters on one field are combined with AND. */
function parseFilters(given: string[]): Record<string, string[]> {
  const filters: Record<string, string[]> = {}
  for (const text of given) {
    const [, field = '', filter = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    if (!field) throw new AppError('invalid_request', `--filter must have the form region=eq.NYRO, not ${text}.`)
    filters[field] = [...(filters[field] ?? []), filter]
  }
  return filters
}
