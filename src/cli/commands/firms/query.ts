import type { CommandModule } from 'yargs'
import { createClient } from '../../../client/index.ts'
import type { FirmQuery } from '../../../contract/firms.ts'
import { FIRM_PAGE_MAXIMUM } from '../../../contract/firms.ts'
import { createCountMemo } from '../../../firms/count-memo.ts'
import { queryFirms } from '../../../firms/query.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Command, CommonArguments } from '../../support/command.ts'
import { run } from '../../support/command.ts'
import { openService } from '../../support/databases.ts'
import type { Format, Row } from '../../support/output.ts'
import { formatRows } from '../../support/output.ts'
import { createProgress } from '../../support/progress.ts'
import { wholeNumber } from '../../support/whole-number.ts'

interface QueryArguments extends CommonArguments {
  select: string[]
  filter: string[]
  order: string
  limit: number
  all: boolean
  format: Format
}

/** Another host's replies may be without a cursor. */
interface Page {
  data: unknown[]
  total_count?: number
  next_cursor?: string | null
}

type Ask = (query: FirmQuery) => Promise<Page>

export const queryFirmsCommand: CommandModule<object, QueryArguments> = {
  command: 'query',
  describe: 'Select, filter and order firms',
  builder: (cli) =>
    cli
      .option('select', {
        type: 'string',
        array: true,
        default: ['sec_number', 'crd_number', 'legal_name', 'region', 'state', 'employee_count', 'aum_total_usd'],
        coerce: (given: string[]) => given.flatMap((names) => names.split(',')),
        describe: 'Fields, as a,b,c',
      })
      .option('filter', {
        type: 'string',
        array: true,
        default: [],
        describe: "Such as region=eq.NYRO or 'aum_total_usd=gte.1000000000'",
      })
      .option('order', { type: 'string', default: 'sec_number.desc', describe: '<field>.desc or <field>.asc' })
      .option('limit', { ...wholeNumber('--limit'), default: 25, describe: 'Firms at the most' })
      .option('all', { type: 'boolean', default: false, describe: 'All firms that match' })
      .option('format', { choices: ['table', 'csv', 'json'] as const, default: 'table' as Format })
      .example(
        '$0 firms query --filter region=eq.NYRO --order aum_total_usd.desc',
        'The largest firms of the New York region',
      ),
  handler: run(async (command, args) => {
    const wanted = args.all ? Number.POSITIVE_INFINITY : args.limit
    await using stack = new AsyncDisposableStack()
    const ask = await openFirms(command, stack)
    const query = { select: args.select, filters: parseFilterOptions(args.filter), order: args.order }
    const { firms, total } = await collect(command, ask, query, wanted)
    command.out.result({ data: firms, total_count: total }, () => formatRows(firms, args.format, args.select))
    if (args.format === 'table' && firms.length < total)
      command.out.note(`${firms.length} of ${total} firms; --limit or --all shows more.`)
    return undefined
  }),
}

/** Over HTTP, as any customer asks; without an API key straight from the service's own database. */
async function openFirms(command: Command, stack: AsyncDisposableStack): Promise<Ask> {
  const { config, signal } = command
  const { service_api_key: apiKey } = config.secrets
  if (!apiKey) {
    if (config.service.base_url)
      throw new AppError(
        'configuration',
        'TALHOUSE_SERVICE_BASE_URL is set and TALHOUSE_SERVICE_API_KEY is not. Set the key of that service.',
      )
    const service = stack.use(await openService(command))
    const memo = createCountMemo()
    return (query) => queryFirms(service, query, memo)
  }
  const baseUrl = config.service.base_url || `http://${config.http.host}:${config.http.port}`
  const client = stack.use(createClient({ baseUrl, apiKey, signal }))
  return (query) => client.firms.query(query)
}

async function collect(
  { json, signal }: Command,
  ask: Ask,
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
      const page = await ask({ ...query, limit, ...(cursor && { cursor }) })
      firms.push(...(page.data as Row[]))
      total = page.total_count ?? firms.length
      cursor = page.next_cursor ?? undefined
      progress?.update(firms.length, Math.min(wanted, total))
      if (!cursor && firms.length < Math.min(wanted, total))
        throw new AppError(
          'incomplete',
          `The service sent ${firms.length} of ${total} firms and no cursor to go on with.`,
        )
    } while (cursor && firms.length < wanted)
  } finally {
    progress?.stop()
  }
  return { firms, total }
}

/** `region=eq.NYRO`; several on one field all hold. */
function parseFilterOptions(given: string[]): Record<string, string[]> {
  const filters: Record<string, string[]> = {}
  for (const text of given) {
    const [, field = '', filter = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    if (!field) throw new AppError('invalid_request', `--filter ${text} is not a filter. Write it as region=eq.NYRO.`)
    filters[field] = [...(filters[field] ?? []), filter]
  }
  return filters
}
