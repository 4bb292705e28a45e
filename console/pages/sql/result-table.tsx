import { useMemo } from 'preact/hooks'
import type { WarehouseQueryResult } from '../../../src/contract/warehouse-query.ts'
import { formatDecimal, printable } from '../../lib/format.ts'
import { useVirtualRows } from '../../ui/virtual-rows.ts'
import { asText } from './to-csv.ts'

const ROW_HEIGHT = 30
const MAX_LENGTH = 200
/** Widths in characters. */
const WIDTH = { least: 6, most: 44 }
const SAMPLE = 100
/** Numeric identifiers are shown without thousands separators. */
const IDENTIFIER = /(^|_)(id|number|year|code)$/

/** A table of the rows that renders only the visible ones. */
export function ResultTable({ result: { columns, rows } }: { result: WarehouseQueryResult }) {
  const { first, last, before, after, onScroll } = useVirtualRows(rows.length, ROW_HEIGHT)
  const widths = useMemo(
    () =>
      columns.map(({ name }, place) =>
        Math.max(name.length, WIDTH.least, ...rows.slice(0, SAMPLE).map((row) => shown(row[place], name).length)),
      ),
    [columns, rows],
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it (axe: scrollable-region-focusable)
    <section class="table-frame result-frame" tabIndex={0} aria-label="Result" onScroll={onScroll}>
      <table class="table result-table" aria-rowcount={rows.length + 1}>
        <colgroup>
          {widths.map((width, place) => (
            <col key={place} style={{ width: `calc(${Math.min(width, WIDTH.most)}ch + 28px)` }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map(({ name, type, is_numeric }, place) => (
              <th scope="col" key={place} class={is_numeric ? 'num' : undefined} title={type}>
                {printable(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr style={{ height: `${before}px` }} />}
          {rows.slice(first, last).map((row, index) => (
            <tr key={first + index} aria-rowindex={first + index + 2}>
              {columns.map(({ name, is_numeric }, place) => {
                const text = shown(row[place], name)
                return (
                  <td key={place} class={is_numeric ? 'num' : undefined} title={text}>
                    {row[place] === null ? <span class="faint">null</span> : <bdi>{text}</bdi>}
                  </td>
                )
              })}
            </tr>
          ))}
          {after > 0 && <tr style={{ height: `${after}px` }} />}
        </tbody>
      </table>
    </section>
  )
}

function shown(value: unknown, column: string): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' && !IDENTIFIER.test(column)) return formatDecimal(value)
  return printable(asText(value).slice(0, MAX_LENGTH))
}
