import { formatNumber, formatPercent } from '../lib/format.ts'
import { Headings } from './table-frame.tsx'

export interface Series {
  name: string
  /** Class in styles/charts.css. */
  fill: 'good' | 'warn' | 'bad' | 'idle' | 'accent' | 'soft'
}

export interface Bar {
  label: string
  /** One value per series. */
  values: readonly number[]
  href?: string
}

interface BarsProps {
  /** Description of the chart, for screen readers and as the table's caption. */
  title: string
  /** Heading of the column with the labels, for screen readers. @default Night */
  heading?: string
  series: readonly Series[]
  bars: readonly Bar[]
  /** Whether to scale all bars to the same height, to show shares. */
  asShares?: boolean
  /** A horizontal line at this value. */
  target?: { value: number; name: string }
}

const HEIGHT = 100

/** Stacked SVG bars, with the same numbers in a table for screen readers. */
export function Bars({ title, heading = 'Night', series, bars, asShares = false, target }: BarsProps) {
  const totals = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0))
  const top = asShares ? 1 : Math.max(1, target?.value ?? 0, ...totals)
  const width = Math.max(bars.length, 12)
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={title}>
        {[0, 50, 100].map((y) => (
          <line key={y} class="grid-line" x1="0" x2={width} y1={y} y2={y} />
        ))}
        {bars.map((bar, index) => (
          <Stack
            key={`${index} ${bar.label}`}
            bar={bar}
            series={series}
            x={width - bars.length + index}
            scale={HEIGHT / (asShares ? totals[index] || 1 : top)}
          />
        ))}
        {target && (
          <line
            class="target"
            x1="0"
            x2={width}
            y1={HEIGHT - (target.value / top) * HEIGHT}
            y2={HEIGHT - (target.value / top) * HEIGHT}
          />
        )}
      </svg>
      <div class="axis" aria-hidden="true">
        <span>{bars.length === width ? bars[0]?.label : ''}</span>
        <span>
          {asShares ? formatPercent(1) : `top ${formatNumber(Math.round(top))}`}
          {target ? ` · ${target.name}` : ''}
        </span>
        <span>{bars.at(-1)?.label}</span>
      </div>
      {series.length > 1 && (
        <div class="legend" aria-hidden="true">
          {series.map(({ name, fill }) => (
            <span key={name} class={`fill-${fill}`}>
              {name}
            </span>
          ))}
        </div>
      )}
      <div class="sr-only">
        <table>
          <caption>{title}</caption>
          <thead>
            <Headings columns={[heading, ...series.map(({ name }) => name)]} />
          </thead>
          <tbody>
            {bars.map(({ label, values }, index) => (
              <tr key={`${index} ${label}`}>
                <th scope="row">{label}</th>
                {values.map((value, place) => (
                  <td key={series[place]?.name}>{formatNumber(value)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}

const GAP = 0.2

function Stack({ bar, series, x, scale }: { bar: Bar; series: readonly Series[]; x: number; scale: number }) {
  const text = [bar.label, ...bar.values.map((value, index) => `${series[index]?.name}: ${formatNumber(value)}`)]
  let y = HEIGHT
  return (
    <g class="bar">
      <title>{text.join('\n')}</title>
      <rect x={x} y={0} width={1} height={HEIGHT} fill="transparent" />
      {bar.values.map((value, index) => {
        const height = value * scale
        y -= height
        return (
          <rect
            key={series[index]?.name}
            class={`fill-${series[index]?.fill}`}
            x={x + GAP / 2}
            y={y}
            width={1 - GAP}
            height={height}
          />
        )
      })}
    </g>
  )
}
