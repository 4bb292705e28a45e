import { curlCommand } from '../../lib/curl.ts'
import type { Condition, FirmFieldName } from './firm-query.ts'
import { containing, isNumeric, listOf, toFilters } from './firm-query.ts'

interface Query {
  conditions: readonly Condition[]
  columns: readonly FirmFieldName[]
  order: string
}

const bodyOf = ({ conditions, columns, order }: Query) => {
  const filters = toFilters(conditions)
  return { select: columns, ...(Object.keys(filters).length > 0 && { filters }), order }
}

/** Formats the query as a shell command. */
export const asCurl = (query: Query, origin: string): string => curlCommand('POST', `${origin}/firms`, bodyOf(query))

/** Formats the query as code for the TypeScript client. */
export const asTypeScript = (query: Query, origin: string): string =>
  [
    `import { createClient } from 'talhouse/client'`,
    '',
    `const talhouse = createClient({ baseUrl: '${origin}', apiKey: process.env['TALHOUSE_SERVICE_API_KEY'] ?? '' })`,
    `for await (const firm of talhouse.firms.query(${JSON.stringify(bodyOf(query), null, 2)})) console.log(firm)`,
  ].join('\n')

/** Formats the query as SQL for the warehouse. */
export function asSql({ conditions, columns, order }: Query): string {
  const [field, direction] = order.split('.')
  const where = conditions.filter(({ value }) => value !== '').map(conditionSql)
  return [
    `select ${columns.join(', ')}`,
    'from warehouse.firm',
    `where ${['gone_at is null', ...where].join('\n  and ')}`,
    `order by ${field} ${direction === 'desc' ? 'desc nulls last' : 'asc nulls first'}`,
    'limit 50',
  ].join('\n')
}

const COMPARISON: Record<string, string> = {
  eq: '=',
  neq: '<>',
  gte: '>=',
  gt: '>',
  lte: '<=',
  lt: '<',
  ilike: 'ilike',
}

function conditionSql({ field, operator, value }: Condition): string {
  const literal = (text: string) =>
    isNumeric(field) && /^-?\d+(\.\d+)?$/.test(text) ? text : `'${text.replaceAll("'", "''")}'`
  if (operator === 'is') return value === 'not_null' ? `${field} is not null` : `${field} is ${value}`
  if (operator === 'in') return `${field} in (${listOf(value).map(literal).join(', ')})`
  if (operator === 'cs') return `${field} @> array[${listOf(value).map(literal).join(', ')}]`
  if (operator === 'contains') return `${field} ilike ${literal(containing(value))}`
  return `${field} ${COMPARISON[operator]} ${literal(value)}`
}
