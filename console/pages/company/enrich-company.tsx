import { useState } from 'preact/hooks'
import { Quoted } from '../../ui/quoted.tsx'

/** Re-enriches the company. Enriches a company after showing a quote, which is updated as field groups are selected. */
export function EnrichCompany({ domain, onSubmitted }: { domain: string; onSubmitted: (taskId: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  const [people, setPeople] = useState(false)
  const [signals, setSignals] = useState(false)
  const [force, setForce] = useState(false)
  const company = { domain, include_leadership: people, include_signals: signals, force }
  return (
    <>
      <button type="button" class="button primary" onClick={() => setOpen(true)}>
        Enrich
      </button>
      {isOpen && (
        <Quoted
          title="Enrich this company"
          requests={[{ company }]}
          onSubmitted={onSubmitted}
          onClose={() => setOpen(false)}
        >
          <div class="stack-small">
            <Choice label="Also find its people" isChecked={people} onChange={setPeople} />
            <Choice label="Also find news signals" isChecked={signals} onChange={setSignals} />
            <Choice label="Even if the data is fresh" isChecked={force} onChange={setForce} />
          </div>
        </Quoted>
      )}
    </>
  )
}

interface ChoiceProps {
  label: string
  isChecked: boolean
  onChange: (isChecked: boolean) => void
}

const Choice = ({ label, isChecked, onChange }: ChoiceProps) => (
  <label class="check">
    <input type="checkbox" checked={isChecked} onChange={(event) => onChange(event.currentTarget.checked)} />
    {label}
  </label>
)
