import type { WarehouseQueryResult } from '../../../src/contract/warehouse-query.ts'
import { formatNumber, printable } from '../../lib/format.ts'
import { useVirtualRows } from '../../ui/virtual-rows.ts'
import { asText } from './to-csv.ts'

const ROW_HEIGHT = 30
const MAX_LENGTH = 200
/** Widths in characters. */
const WIDTH = { least: 6, most: 44 }
const SAMPLE = 100
/** Numbers that identify something are shown without separators. */
const IDENTIFIER = /(^|_)(id|number|year|code)$/

/** The rows, of which only the visible ones are rendered. */
export function ResultTable({ result: { columns, rows } }: { result: WarehouseQueryResult }) {
  const { first, last, before, after, onScroll } = useVirtualRows(rows.length, ROW_HEIGHT)
  const widths = columns.map(({ name }, place) =>
    Math.max(name.length, WIDTH.least, ...rows.slice(0, SAMPLE).map((row) => shown(row[place]).length)),
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
              {columns.map(({ name, is_numeric }, place) => (
                <td key={place} class={is_numeric ? 'num' : undefined} title={shown(row[place])}>
                  <Cell value={IDENTIFIER.test(name) && row[place] !== null ? String(row[place]) : row[place]} />
                </td>
              ))}
            </tr>
          ))}
          {after > 0 && <tr style={{ height: `${after}px` }} />}
        </tbody>
      </table>
    </section>
  )
}

const Cell = ({ value }: { value: unknown }) =>
  value === null ? <span class="faint">null</span> : <bdi>{shown(value)}</bdi>

function shown(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number')
    return Number.isInteger(value) ? formatNumber(value) : value.toLocaleString('en-US', { maximumFractionDigits: 6 })
  return printable(asText(value).slice(0, MAX_LENGTH))
}
