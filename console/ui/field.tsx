interface FieldProps {
  label: string
  value: string
  onInput: (value: string) => void
  /** @default text */
  type?: 'text' | 'number' | 'date'
  maxLength?: number
  placeholder?: string
}

/** A labeled form input. */
export function Field({ label, type = 'text', onInput, ...given }: FieldProps) {
  // Preact's types allow only one literal type per element.
  const kind = { type, ...(type === 'number' && { step: 1 }) } as { type: 'text' }
  return (
    <label class="field">
      <span>{label}</span>
      <input class="input" {...kind} {...given} onInput={(event) => onInput(event.currentTarget.value)} />
    </label>
  )
}

/** The whole number in a field; undefined if the text is not a whole number. */
export const wholeNumber = (text: string): number | undefined =>
  /^-?\d{1,10}$/.test(text.trim()) ? Number(text) : undefined
