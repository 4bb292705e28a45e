import { useState } from 'preact/hooks'
import type { WarehouseQueryResult } from '../../../src/contract/warehouse-query.ts'
import { formatNumber, plural, printable } from '../../lib/format.ts'
import { BarList } from '../../ui/bar-list.tsx'
import { Bars } from '../../ui/chart.tsx'
import { asText } from './to-csv.ts'

const MAX_BARS = 50
const MAX_TIMES = 366

/** A numeric column as bars: on a time axis if the first other column is a date, otherwise one bar per row. */
export function ResultChart({ result: { columns, rows } }: { result: WarehouseQueryResult }) {
  const numbers = columns.flatMap(({ is_numeric }, place) => (is_numeric ? [place] : []))
  const labels = columns.flatMap((_, place) => place)
  const [value, setValue] = useState(numbers.at(-1) ?? 0)
  const [label, setLabel] = useState(labels.find((place) => !numbers.includes(place)) ?? 0)
  const isTime = /^(date|timestamp)/.test(columns[label]?.type ?? '')
  const points = rows.map((row) => ({
    name: row[label] === null ? 'null' : printable(asText(row[label])),
    value: Number(row[value] ?? 0),
  }))
  const name = columns[value]?.name ?? ''
  const choose = (title: string, current: number, places: readonly number[], onChoose: (place: number) => void) => (
    <label class="row">
      <span class="muted">{title}</span>
      <select class="input" value={current} onChange={(event) => onChoose(Number(event.currentTarget.value))}>
        {places.map((place) => (
          <option key={place} value={place}>
            {printable(columns[place]?.name ?? '')}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <div class="card-body stack-small">
      <div class="row wrap no-print">
        {choose('Bars', value, numbers, setValue)}
        {choose('Labels', label, labels, setLabel)}
      </div>
      {isTime ? (
        <Bars
          title={printable(name)}
          heading={printable(columns[label]?.name ?? '')}
          series={[{ name: printable(name), fill: 'accent' }]}
          bars={points
            .toSorted((one, other) => one.name.localeCompare(other.name))
            .slice(-MAX_TIMES)
            .map((point) => ({ label: point.name.slice(0, 10), values: [Math.max(0, point.value)] }))}
        />
      ) : (
        <>
          <BarList
            label={printable(name)}
            columns={[printable(columns[label]?.name ?? ''), printable(name)]}
            rows={points.slice(0, MAX_BARS).map((point) => ({ ...point, text: formatNumber(point.value) }))}
          />
          {points.length > MAX_BARS && (
            <p class="muted">
              The first {MAX_BARS} of {plural(points.length, 'row')} are shown.
            </p>
          )}
        </>
      )}
    </div>
  )
}
