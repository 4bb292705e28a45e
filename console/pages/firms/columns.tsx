import { formatField } from '../../lib/format.ts'
import type { FirmFieldName } from './firm-query.ts'
import { descriptionOf, FIELDS } from './firm-query.ts'

/** Selects the columns for the table, the copied query and the export. */
export function Columns({
  columns,
  onChange,
}: {
  columns: readonly FirmFieldName[]
  onChange: (columns: readonly FirmFieldName[]) => void
}) {
  const toggle = (field: FirmFieldName) =>
    onChange(columns.includes(field) ? columns.filter((one) => one !== field) : [...columns, field])
  return (
    <details class="columns">
      <summary class="button">Columns: {columns.length}</summary>
      <fieldset>
        <legend class="sr-only">Columns</legend>
        {FIELDS.map((field) => (
          <label class="check" key={field} title={descriptionOf(field)}>
            <input
              type="checkbox"
              checked={columns.includes(field)}
              disabled={columns.length === 1 && columns.includes(field)}
              onChange={() => toggle(field)}
            />
            {formatField(field)}
          </label>
        ))}
      </fieldset>
    </details>
  )
}
