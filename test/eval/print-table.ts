import { Counts } from './counts.ts'

/** Prints counts by name, with their sum in the last row. */
export function printTable(title: string, rows: Iterable<[string, Counts]>): void {
  const all = [...rows]
  const sum = all.reduce((total, [, one]) => total.plus(one), new Counts())
  console.log(`\n${title}`)
  console.log(
    `  ${'what'.padEnd(34)}${['P', 'R', 'F1'].map((name) => name.padStart(8)).join('')}${['right', 'wrong', 'missing', 'invented'].map((name) => name.padStart(10)).join('')}`,
  )
  for (const [name, { precision, recall, f1, right, wrong, missing, invented }] of [...all, ['all', sum] as const])
    console.log(
      `  ${name.padEnd(34)}${[precision, recall, f1].map(share).join('')}${[right, wrong, missing, invented].map((n) => String(n).padStart(10)).join('')}`,
    )
}

export const share = (value: number): string => value.toFixed(3).padStart(8)

/** Prints rows of text in aligned columns. The first row is the heading. */
export function printRows(heading: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heading.map((_, column) => Math.max(...[heading, ...rows].map((row) => (row[column] ?? '').length)))
  for (const row of [heading, ...rows])
    console.log(
      `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')}`,
    )
}
