import { printable } from '../../lib/format.ts'

interface ColumnChoiceProps {
  label: string
  /** The heading of the current column, if one was found. */
  value: string | undefined
  headings: readonly string[]
  onChange: (heading: string) => void
}

/** Selects the column of the file to read. */
export const ColumnChoice = ({ label, value, headings, onChange }: ColumnChoiceProps) => (
  <label class="row">
    <span class="muted nowrap">{label}</span>
    <select class="input" value={value ?? ''} onChange={(event) => onChange(event.currentTarget.value)}>
      {value === undefined && <option value="">not found</option>}
      {headings.map((heading) => (
        <option key={heading} value={heading}>
          {printable(heading).slice(0, 80)}
        </option>
      ))}
    </select>
  </label>
)
