import type { FirmFieldName, FirmFieldType } from '../../../src/contract/firm-fields.ts'
import { FIRM_FIELD_NAMES, FIRM_FIELDS } from '../../../src/contract/firm-fields.ts'

export type { FirmFieldName } from '../../../src/contract/firm-fields.ts'

/** A condition as shown in the form: `contains` is an `ilike` with wildcards on both sides. */
export interface Condition {
  field: FirmFieldName
  operator: Operator
  value: string
}

export const OPERATORS = {
  eq: 'is',
  neq: 'is not',
  contains: 'contains',
  ilike: 'matches the pattern',
  in: 'is one of',
  cs: 'includes all of',
  gte: 'at least',
  gt: 'above',
  lte: 'at most',
  lt: 'below',
  is: 'is',
} as const
export type Operator = keyof typeof OPERATORS

const COMPARE = ['eq', 'neq', 'gte', 'gt', 'lte', 'lt', 'in', 'is'] as const
const ALLOWED: Record<FirmFieldType, readonly Operator[]> = {
  text: ['contains', 'eq', 'neq', 'in', 'gte', 'lt', 'ilike', 'is'],
  'text[]': ['cs', 'is'],
  integer: COMPARE,
  money: COMPARE,
  date: COMPARE,
  boolean: ['is'],
}

export const FIELDS = FIRM_FIELD_NAMES
export const typeOf = (field: FirmFieldName): FirmFieldType => FIRM_FIELDS[field].type
export const descriptionOf = (field: FirmFieldName): string => FIRM_FIELDS[field].description
export const operatorsOf = (field: FirmFieldName): readonly Operator[] => ALLOWED[typeOf(field)]
export const isNumeric = (field: FirmFieldName): boolean => ['integer', 'money'].includes(typeOf(field))
export const isSortable = (field: FirmFieldName): boolean => typeOf(field) !== 'text[]'

/** The values that the `is` operator accepts for a field, each with its label. */
export const wordsOf = (field: FirmFieldName): readonly (readonly [string, string])[] => [
  ...(typeOf(field) === 'boolean'
    ? ([
        ['true', 'yes'],
        ['false', 'no'],
      ] as const)
    : []),
  ['null', 'not filed'],
  ['not_null', 'filed'],
]

export const DEFAULT_COLUMNS: readonly FirmFieldName[] = [
  'legal_name',
  'sec_number',
  'region',
  'city',
  'state',
  'aum_total_usd',
  'employee_count',
  'latest_filing_date',
]
export const DEFAULT_ORDER = 'aum_total_usd.desc'

const isField = (name: string): name is FirmFieldName => Object.hasOwn(FIRM_FIELDS, name)

/** Reads the conditions from an address. Ignores invalid conditions. */
export function readConditions(text: string | undefined): Condition[] {
  let given: unknown
  try {
    given = JSON.parse(text ?? '[]')
  } catch {
    return []
  }
  if (!Array.isArray(given)) return []
  return given.flatMap((part: unknown) => {
    const [field, operator, value] = Array.isArray(part) ? (part as unknown[]).map(String) : []
    if (!field || !isField(field) || !operator || !Object.hasOwn(OPERATORS, operator)) return []
    return [{ field, operator: operator as Operator, value: value ?? '' }]
  })
}

export const writeConditions = (conditions: readonly Condition[]): string | undefined =>
  conditions.length === 0
    ? undefined
    : JSON.stringify(conditions.map(({ field, operator, value }) => [field, operator, value]))

/** Reads the columns from an address. */
export function readColumns(text: string | undefined): readonly FirmFieldName[] {
  const columns = (text ?? '').split(',').filter(isField)
  return columns.length > 0 ? columns : DEFAULT_COLUMNS
}

/** Converts the conditions to the `filters` of the API. Conditions without a value are omitted. */
export function toFilters(conditions: readonly Condition[]): Record<string, string[]> {
  const filters: Record<string, string[]> = {}
  for (const { field, operator, value } of conditions)
    if (value !== '') filters[field] = [...(filters[field] ?? []), toFilter(operator, value)]
  return filters
}

function toFilter(operator: Operator, value: string): string {
  if (operator === 'contains') return `ilike.${containing(value)}`
  if (operator === 'in' || operator === 'cs') return `${operator}.(${listOf(value).map(quoteItem).join(',')})`
  return `${operator}.${value}`
}

/** Returns the `ilike` pattern that matches text containing a value. */
export const containing = (value: string): string => `%${value.replaceAll(/[\\%_]/g, '\\$&')}%`

/** Splits a comma-separated list of values. */
export const listOf = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

const quoteItem = (item: string): string => `"${item.replaceAll(/["\\]/g, '\\$&')}"`
