import type { WarehouseDictionary } from '../../../src/contract/warehouse-query.ts'

export const KEYWORDS: readonly string[] = [
  ...'select from where group by order having limit offset join left right full cross lateral on using and or not in is'.split(
    ' ',
  ),
  ...'null true false between like ilike exists as distinct case when then else end with union all except intersect'.split(
    ' ',
  ),
  ...'asc desc nulls first last filter over partition within count sum avg min max round coalesce extract interval'.split(
    ' ',
  ),
  ...'date timestamp date_trunc now generate_series array_agg string_agg percentile_cont explain'.split(' '),
]

export interface Completion {
  text: string
  detail: string
}

const MAX_OPTIONS = 50
const WORD = /[\w.]{1,200}$/

/**
 * Completions for the word before the caret: columns of the tables that the query names, tables, and keywords. After
 * `firm.`, returns only the columns of the table with that name or alias. Without `isExplicit`, one-letter words get no
 * completions.
 */
export function completionsFor(
  dictionary: WarehouseDictionary,
  sql: string,
  caret: number,
  isExplicit: boolean,
): { options: Completion[]; from: number } | undefined {
  const typed = WORD.exec(sql.slice(Math.max(0, caret - 200), caret))?.[0] ?? ''
  const dot = typed.lastIndexOf('.')
  const word = typed.slice(dot + 1).toLowerCase()
  if (!isExplicit && dot < 0 && word.length < 2) return undefined
  const named = tablesIn(sql, dictionary)
  const options = dot < 0 ? all(dictionary, named) : qualified(dictionary, named, typed.slice(0, dot))
  const starts = ({ text }: Completion) => text.startsWith(word) || text.startsWith(`warehouse.${word}`)
  const found = [
    ...options.filter(starts),
    ...options.filter((option) => option.text.includes(word) && !starts(option)),
  ]
  if (found.length === 1 && found[0]?.text === word) return undefined
  return { options: found.slice(0, MAX_OPTIONS), from: caret - word.length }
}

type Named = ReadonlyMap<string, string>

const all = (dictionary: WarehouseDictionary, named: Named): Completion[] => [
  ...columnsOf(dictionary, new Set(named.values())),
  ...dictionary.tables.map(({ name, kind }) => ({ text: `warehouse.${name}`, detail: kind })),
  ...KEYWORDS.map((text) => ({ text, detail: '' })),
]

function qualified(dictionary: WarehouseDictionary, named: Named, qualifier: string): Completion[] {
  if (qualifier === 'warehouse') return dictionary.tables.map(({ name, kind }) => ({ text: name, detail: kind }))
  const table = named.get(qualifier.split('.').at(-1) ?? '')
  return table === undefined ? [] : columnsOf(dictionary, new Set([table]))
}

/** Column names of the tables, without duplicates. */
function columnsOf({ tables }: WarehouseDictionary, names: ReadonlySet<string>): Completion[] {
  const columns = tables
    .filter(({ name }) => names.has(name))
    .flatMap((table) => table.columns.map(({ name, type }) => [name, `${type}, ${table.name}`] as const))
  return [...new Map(columns.toReversed())].toReversed().map(([text, detail]) => ({ text, detail }))
}

/** The tables after `from` and `join`, by name and by alias. */
function tablesIn(sql: string, { tables }: WarehouseDictionary): Named {
  const known = new Set(tables.map(({ name }) => name))
  const found = new Map<string, string>()
  for (const [, table = '', alias] of sql.matchAll(
    /\b(?:from|join)\s+(?:warehouse\.)?(\w+)(?:\s+(?:as\s+)?(\w+))?/gi,
  )) {
    if (!known.has(table)) continue
    found.set(table, table)
    if (alias) found.set(alias, table)
  }
  return found
}
