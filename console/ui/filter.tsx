interface FilterProps {
  label: string
  /** Name of the option that shows all rows. */
  all: string
  value: string | undefined
  /** The values, each with its name. */
  options: readonly (readonly [value: string, name: string])[]
  onChange: (value: string) => void
}

/** A select box that filters a table by one value. */
export const Filter = ({ label, all, value = '', options, onChange }: FilterProps) => (
  <select
    class="input no-print"
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  >
    <option value="">{all}</option>
    {options.map(([value, name]) => (
      <option key={value} value={value}>
        {name}
      </option>
    ))}
  </select>
)
