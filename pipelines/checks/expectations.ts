import { AppError } from '../../src/lib/errors.ts'
import { pluralize } from '../../src/lib/pluralize.ts'
import type { PipelineSettings } from '../runner/settings.ts'
import type { Check } from './check.ts'
import { INVARIANTS } from './invariants.ts'

type Expectations = PipelineSettings['expectations']
type OfTable = Expectations['tables'][string]
type Expected = Omit<Check, 'kind'>

/** The checks defined in the settings. Throws `configuration` if two checks have the same name. */
export function listExpectations({ tables, queries }: Expectations): Check[] {
  const expected: Expected[] = [
    ...Object.entries(tables).flatMap(([table, settings]) => expectationsOf(table, settings)),
    ...Object.entries(queries).map(([name, sql]) => ({ name, description: 'The query returns no rows', sql })),
  ]
  const names = new Set(INVARIANTS.map(({ name }) => name))
  for (const { name } of expected) {
    if (names.has(name))
      throw new AppError(
        'configuration',
        `pipelines.expectations: "${name}" is the name of another check. Rename the query, or write the table with its schema, such as warehouse.firm.`,
      )
    names.add(name)
  }
  return expected.map((check) => ({ ...check, kind: 'expectation' }))
}

/** All invariants and expectations. */
export const listChecks = (expectations: Expectations): Check[] => [...INVARIANTS, ...listExpectations(expectations)]

function expectationsOf(table: string, settings: OfTable): Expected[] {
  const { where, max_age_hours = {}, min_rows, unique = [], accepted_values = {} } = settings
  const rows = `from ${table.split('.').map(quoted).join('.')} where ${where === undefined ? 'true' : `(${where}\n)`}`
  const about = where === undefined ? table : `${table} where ${where}`
  return [
    ...Object.entries(max_age_hours).map(([column, hours]) => ({
      name: `${table}.${column} is at most ${hours} hours old`,
      description: `The newest ${column} in ${about} is at most ${hours} hours old`,
      sql: `select max(${quoted(column)}) as newest ${rows}
        having coalesce(max(${quoted(column)})::timestamptz, '-infinity') < now() - interval '1 hour' * ${hours}`,
    })),
    ...(min_rows === undefined
      ? []
      : [
          {
            name: `${table} has at least ${pluralize(min_rows, 'row')}`,
            description: `${about} has at least ${pluralize(min_rows, 'row')}`,
            sql: `select count(*) as rows ${rows} having count(*) < ${min_rows}`,
          },
        ]),
    ...unique.map((key) => {
      const columns = key.split(',').map((column) => quoted(column.trim()))
      const present = columns.map((column) => `${column} is not null`)
      return {
        name: `${table}.${key} is unique`,
        description: `No two rows of ${about} have the same ${key}`,
        sql: `select ${columns.join(', ')}, count(*) as rows ${rows} and ${present.join(' and ')} group by ${columns.join(', ')} having count(*) > 1`,
      }
    }),
    ...Object.entries(accepted_values).map(([column, values]) => ({
      name: `${table}.${column} has accepted values`,
      description: `${column} in ${about} is one of ${values.join(', ')}`,
      sql: `select ${quoted(column)}, count(*) as rows ${rows} and ${quoted(column)}::text <> all (array[${values.map(literal).join(', ')}]::text[]) group by 1`,
    })),
  ]
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const literal = (value: string): string => `E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
