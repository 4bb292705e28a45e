import { useEffect, useState } from 'preact/hooks'
import { formatField } from '../../lib/format.ts'
import type { Condition, FirmFieldName, Operator } from './firm-query.ts'
import { descriptionOf, FIELDS, isNumeric, OPERATORS, operatorsOf, typeOf, wordsOf } from './firm-query.ts'

const NEW: Condition = { field: 'state', operator: 'eq', value: '' }

/** The filters of the query, one per line. A condition without a value is ignored. */
export function Conditions({
  conditions,
  onChange,
}: {
  conditions: readonly Condition[]
  onChange: (conditions: readonly Condition[]) => void
}) {
  const replace = (index: number, condition: Condition) =>
    onChange(conditions.map((one, place) => (place === index ? condition : one)))
  return (
    <fieldset class="conditions">
      <legend class="sr-only">Filters</legend>
      {conditions.map((condition, index) => (
        <Line
          key={index}
          number={index + 1}
          condition={condition}
          onChange={(changed) => replace(index, changed)}
          onRemove={() => onChange(conditions.filter((_, place) => place !== index))}
        />
      ))}
      <button type="button" class="button" onClick={() => onChange([...conditions, NEW])}>
        Add a filter
      </button>
    </fieldset>
  )
}

interface LineProps {
  number: number
  condition: Condition
  onChange: (condition: Condition) => void
  onRemove: () => void
}

function Line({ number, condition, onChange, onRemove }: LineProps) {
  const { field, operator, value } = condition
  const choose = (chosen: FirmFieldName) => {
    const [first = 'eq'] = operatorsOf(chosen)
    const isSame = typeOf(chosen) === typeOf(field)
    onChange({ field: chosen, operator: isSame ? operator : first, value: isSame ? value : '' })
  }
  const operate = (chosen: Operator) =>
    onChange({ field, operator: chosen, value: chosen === 'is' || operator === 'is' ? '' : value })
  return (
    <div class="condition">
      <select
        class="input"
        aria-label={`Field of filter ${number}`}
        title={descriptionOf(field)}
        value={field}
        onChange={(event) => choose(event.currentTarget.value as FirmFieldName)}
      >
        {FIELDS.map((name) => (
          <option key={name} value={name}>
            {formatField(name)}
          </option>
        ))}
      </select>
      <select
        class="input"
        aria-label={`Operator of filter ${number}`}
        value={operator}
        onChange={(event) => operate(event.currentTarget.value as Operator)}
      >
        {operatorsOf(field).map((name) => (
          <option key={name} value={name}>
            {name === 'is' && typeOf(field) !== 'boolean' ? 'was' : OPERATORS[name]}
          </option>
        ))}
      </select>
      {operator === 'is' ? (
        <select
          class="input"
          aria-label={`Value of filter ${number}`}
          value={value}
          onChange={(event) => onChange({ ...condition, value: event.currentTarget.value })}
        >
          <option value="">Choose</option>
          {wordsOf(field).map(([word, label]) => (
            <option key={word} value={word}>
              {label}
            </option>
          ))}
        </select>
      ) : (
        <Value number={number} condition={condition} onChange={onChange} />
      )}
      <button type="button" class="button quiet" aria-label={`Remove filter ${number}`} onClick={onRemove}>
        ×
      </button>
    </div>
  )
}

/** A text field whose value is applied when the user leaves it or presses Enter. */
function Value({ number, condition, onChange }: Omit<LineProps, 'onRemove'>) {
  const { field, operator, value } = condition
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const isList = operator === 'in' || operator === 'cs'
  const type = typeOf(field)
  const isNumber = isNumeric(field) && !isList
  const given = {
    class: 'input',
    'aria-label': `Value of filter ${number}`,
    value: text,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => setText(currentTarget.value),
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onChange({
        ...condition,
        value: isNumber ? plainNumber(currentTarget.value) : currentTarget.value.trim(),
      }),
  }
  if (type === 'date' && !isList) return <input type="date" {...given} />
  return (
    <input
      type="text"
      {...given}
      inputMode={isNumber ? 'decimal' : 'text'}
      placeholder={isList ? 'NY, CA, TX' : type === 'money' ? '100,000,000' : ''}
    />
  )
}

/** Removes separators and the currency sign from a typed number. */
const plainNumber = (text: string): string => text.replaceAll(/[$\s,]/g, '')
