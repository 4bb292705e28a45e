import { pluralize } from '../../src/lib/pluralize.ts'

/**
 * Formats rows as a Markdown table, with columns in the order of the first row. The table has at most `most` rows; the
 * last line shows the number of omitted rows.
 */
export function markdownTable(rows: readonly Record<string, unknown>[], most: number): string {
  const [first] = rows
  if (!first) return 'No rows.'
  const columns = Object.keys(first)
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.slice(0, most).map((row) => line(columns.map((column) => cell(row[column])))),
    ...(rows.length > most ? ['', `... and ${pluralize(rows.length - most, 'more row')}.`] : []),
  ].join('\n')
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = Array.isArray(value) ? value.join('; ') : String(value)
  // Timestamps to the second, for readability.
  return text.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{6}Z$/, '$1Z').replaceAll('|', '\\|')
}
