import { Headings } from './table-frame.tsx'
import { Outside } from './text.tsx'

interface BarRow {
  name: string
  value: number
  /** The value as text. */
  text: string
  note?: string
  onClick?: () => void
}

/**
 * Values as horizontal bars, one per row. Renders a table, so that screen readers and copied text include the numbers.
 */
export function BarList({
  label,
  columns,
  rows,
}: {
  label: string
  columns: readonly string[]
  rows: readonly BarRow[]
}) {
  const top = Math.max(...rows.map(({ value }) => value), 0) || 1
  return (
    <table class="bar-list" aria-label={label}>
      <thead class="sr-only">
        <Headings columns={columns} />
      </thead>
      <tbody>
        {rows.map(({ name, value, text, note, onClick }, index) => (
          <tr key={`${index} ${name}`}>
            <th scope="row">
              {onClick ? (
                <button type="button" class="tag" title={`Show only ${name}`} onClick={onClick}>
                  <Outside max={40}>{name}</Outside>
                </button>
              ) : (
                <Outside max={40}>{name}</Outside>
              )}
            </th>
            <td>
              <svg class="bar-line" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                <rect class="fill-accent" width={Math.max(0, (value / top) * 100)} height="8" rx="1" />
              </svg>
              <span>{text}</span>
            </td>
            {note !== undefined && <td class="num muted">{note}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
