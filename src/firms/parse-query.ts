import type { FirmFieldName } from '../contract/firm-fields.ts'
import { FIRM_FIELD_NAMES, FIRM_FIELDS } from '../contract/firm-fields.ts'
import type { FirmQuery } from '../contract/firms.ts'
import { FIRM_PAGE_DEFAULT, FIRM_PAGE_MAXIMUM } from '../contract/firms.ts'
import type { Issue } from '../lib/errors.ts'
import { AppError } from '../lib/errors.ts'
import type { CursorPlace } from './cursor.ts'
import { readCursor } from './cursor.ts'
import type { Condition } from './filters.ts'
import { isField, parseFilters } from './filters.ts'

/** Columns that can be selected in addition to the typed fields. */
const MORE_COLUMNS = ['items', 'as_of'] as const
export type FirmColumn = FirmFieldName | (typeof MORE_COLUMNS)[number]

export interface FirmOrder {
  field: FirmFieldName
  direction: 'asc' | 'desc'
}

/** A validated query. */
export interface ParsedFirmQuery {
  select: readonly FirmColumn[]
  conditions: readonly Condition[]
  order: FirmOrder
  limit: number
  /** Position of the previous page's last firm; undefined for the first page. */
  after: CursorPlace | undefined
}

const DEFAULT_ORDER = 'sec_number.desc'

/** Validates a query. Throws `unprocessable` with all errors. */
export function parseFirmQuery(query: FirmQuery): ParsedFirmQuery {
  const issues: Issue[] = []
  const select = parseSelect(query.select, issues)
  const { conditions, issues: wrongFilters } = parseFilters(query.filters ?? {})
  issues.push(...wrongFilters)
  const order = parseOrder(query.order ?? DEFAULT_ORDER, issues)
  const limit = query.limit ?? FIRM_PAGE_DEFAULT
  if (!Number.isInteger(limit) || limit < 1 || limit > FIRM_PAGE_MAXIMUM)
    issues.push({
      path: '/limit',
      message: `is ${JSON.stringify(limit)} but must be an integer from 1 to ${FIRM_PAGE_MAXIMUM}`,
    })
  const after =
    query.cursor === undefined || issues.length > 0 ? undefined : readCursor(query.cursor, conditions, order)
  if (after === 'foreign')
    issues.push({
      path: '/cursor',
      message:
        'does not belong to this query. Send the unchanged next_cursor of the previous page with the same filters and order',
    })
  if (issues.length > 0) {
    const detail = issues.map(({ path, message }) => `${path.slice(1).replaceAll('/', '.')} ${message}`).join('; ')
    throw new AppError('unprocessable', detail, { issues })
  }
  return { select, conditions, order, limit, after: after === 'foreign' ? undefined : after }
}

function parseSelect(select: readonly string[] | undefined, issues: Issue[]): FirmColumn[] {
  if (select === undefined) return FIRM_FIELD_NAMES
  const known = (name: string): name is FirmColumn => isField(name) || MORE_COLUMNS.some((column) => column === name)
  for (const [index, name] of select.entries()) {
    if (!known(name))
      issues.push({
        path: `/select/${index}`,
        message: `"${name.slice(0, 60)}" is not a firm field. Known fields: ${[...FIRM_FIELD_NAMES, ...MORE_COLUMNS].join(', ')}`,
      })
  }
  return [...new Set(select.filter(known))]
}

function parseOrder(text: string, issues: Issue[]): FirmOrder {
  const [, field = '', direction] = /^(.*)\.(asc|desc)$/s.exec(text) ?? []
  const fallback: FirmOrder = { field: 'sec_number', direction: 'desc' }
  const wrong = (message: string) => {
    issues.push({ path: '/order', message })
    return fallback
  }
  const shown = JSON.stringify(text.slice(0, 60))
  if (!direction)
    return wrong(`${shown} is not a sort order. Write <field>.desc or <field>.asc, such as ${DEFAULT_ORDER}`)
  if (!isField(field)) return wrong(`${shown} does not name a firm field. Known fields: ${FIRM_FIELD_NAMES.join(', ')}`)
  if (FIRM_FIELDS[field].type === 'text[]')
    return wrong(`${shown}: ${field} is a list, so it cannot be used for sorting`)
  return { field, direction: direction === 'asc' ? 'asc' : 'desc' }
}
