import type { FirmFieldName, FirmFieldType } from '../contract/firm-fields.ts'
import { FIRM_FIELDS } from '../contract/firm-fields.ts'
import type { Issue } from '../lib/errors.ts'
import { isDay } from '../lib/timestamps.ts'

export const OPERATORS = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in', 'ilike', 'is', 'cs'] as const
export type Operator = (typeof OPERATORS)[number]

/** Returns whether the operator accepts a list of values. */
export const isListOperator = (operator: Operator): boolean => operator === 'in' || operator === 'cs'

/** A condition on one field. Values are validated text in PostgreSQL's input format for the field's type. */
export interface Condition {
  field: FirmFieldName
  operator: Operator
  /** One value, or several for `in` and `cs`. For `is`: null, not_null, true or false. */
  values: readonly string[]
}

const COMPARE = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in', 'is'] as const
const ALLOWED: Record<FirmFieldType, readonly Operator[]> = {
  text: [...COMPARE, 'ilike'],
  'text[]': ['cs', 'is'],
  integer: COMPARE,
  money: COMPARE,
  date: COMPARE,
  boolean: ['eq', 'neq', 'is'],
}

/** Limits the planning time, which grows with each condition. */
const MAX_CONDITIONS = 100
/** Limits the cost of one comparison. */
const MAX_VALUE_LENGTH = 200
export const MAX_WILDCARDS = 10

type Parsed = { conditions: Condition[]; issues: Issue[] }

/**
 * Parses filters such as `{ region: 'eq.NYRO', aum_total_usd: ['gte.1000', 'lt.2000'] }`. Returns the valid conditions
 * and one issue for each invalid condition.
 */
export function parseFilters(filters: Record<string, string | readonly string[]>): Parsed {
  const parsed: Parsed = { conditions: [], issues: [] }
  const count = Object.values(filters).flat().length
  if (count > MAX_CONDITIONS) {
    const message = `has ${count} conditions; the maximum is ${MAX_CONDITIONS}. For many values of one field, write in.(a,b)`
    return { conditions: [], issues: [{ path: '/filters', message }] }
  }
  for (const [field, given] of Object.entries(filters)) {
    const path = `/filters/${field}`
    if (!isField(field)) {
      parsed.issues.push({
        path,
        message: `is not a firm field. Known fields: ${Object.keys(FIRM_FIELDS).join(', ')}`,
      })
      continue
    }
    for (const text of typeof given === 'string' ? [given] : given) {
      const condition = parseFilter(field, text)
      if (typeof condition === 'string') parsed.issues.push({ path, message: condition })
      else parsed.conditions.push(condition)
    }
  }
  return parsed
}

export const isField = (name: string): name is FirmFieldName => Object.hasOwn(FIRM_FIELDS, name)

/** Returns the condition, or an error message. */
function parseFilter(field: FirmFieldName, text: string): Condition | string {
  const [, name = '', value = ''] = /^([^.]*)\.(.*)$/s.exec(text) ?? []
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
  const operator = OPERATORS.find((known) => known === name)
  if (!operator)
    return `${shown} does not start with an operator. Write <operator>.<value>; operators: ${OPERATORS.join(', ')}`
  const { type } = FIRM_FIELDS[field]
  if (!ALLOWED[type].includes(operator))
    return `${shown}: ${operator} does not apply to ${field}, which is ${NAMES[type]}. Operators: ${ALLOWED[type].join(', ')}`
  if (value.includes('\u0000')) return `${shown} contains a NUL character`
  if (operator === 'is') {
    const words = type === 'boolean' ? ['null', 'not_null', 'true', 'false'] : ['null', 'not_null']
    return words.includes(value) ? { field, operator, values: [value] } : `${shown}: is accepts ${words.join(', ')}`
  }
  if (!isListOperator(operator) && value.toLowerCase() === 'null')
    return `${shown}: comparisons never match null. Write is.null or is.not_null${type === 'text' ? ', or in.(null) for the text "null"' : ''}`
  if (operator === 'ilike' && endsWithEscape(value))
    return `${shown} ends with an escape character. Write \\\\ for a backslash`
  const values = isListOperator(operator) ? splitList(value) : [value]
  if (values.some((one) => one.length > MAX_VALUE_LENGTH))
    return `${shown}: a value has more than ${MAX_VALUE_LENGTH} characters`
  if (operator === 'ilike' && countWildcards(value) > MAX_WILDCARDS)
    return `${shown} has more than ${MAX_WILDCARDS} wildcards`
  if (values.length === 0) return `${shown}: the list is empty. Write ${operator}.(a,b)`
  const wrong = values.find((one) => !isValueOf(type, one))
  return wrong === undefined ? { field, operator, values } : `${shown}: "${wrong.slice(0, 60)}" is not ${NAMES[type]}`
}

/** Counts the wildcards in an `ilike` pattern, including escaped wildcards. */
export const countWildcards = (pattern: string): number => pattern.match(/[%_]/g)?.length ?? 0

/** Returns whether a pattern ends with an odd number of backslashes, which PostgreSQL rejects. */
const endsWithEscape = (pattern: string): boolean => ((/\\+$/.exec(pattern)?.[0].length ?? 0) & 1) === 1

const NAMES: Record<FirmFieldType, string> = {
  text: 'text',
  'text[]': 'a list',
  integer: 'a whole number',
  money: 'a number such as 1000000.50',
  date: 'a date such as 2022-10-01',
  boolean: 'true or false',
}

/** Returns whether PostgreSQL accepts the text as a value of the type. */
export const isValueOf = (type: FirmFieldType, text: string): boolean => READS[type](text)

const READS: Record<FirmFieldType, (value: string) => boolean> = {
  text: () => true,
  'text[]': (value) => value !== '',
  integer: (value) => /^-?\d{1,18}$/.test(value),
  money: (value) => /^-?\d{1,18}(\.\d{1,6})?$/.test(value),
  date: isDay,
  boolean: (value) => value === 'true' || value === 'false',
}

/** Splits a list, with or without parentheses: `(a,"b,c")` -> ['a', 'b,c']. */
function splitList(text: string): string[] {
  const inner = /^[({].*[)}]$/s.test(text) ? text.slice(1, -1) : text
  if (inner === '') return []
  return [...inner.matchAll(/(?:^|,)(?:"((?:[^"\\]|\\.)*)"|([^,]*))/gs)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '').trim() : quoted.replace(/\\(.)/gs, '$1'),
  )
}
