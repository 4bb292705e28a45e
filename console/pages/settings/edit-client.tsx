import { useState } from 'preact/hooks'
import type { ClientUpdate, ServiceClient } from '../../../src/contract/clients.ts'
import { formatNumber, formatPeriod, plural } from '../../lib/format.ts'
import { request } from '../../lib/http.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { toast } from '../../ui/feedback.tsx'
import { Field, wholeNumber } from '../../ui/field.tsx'

const TEXTS = { name: 'Name', plan: 'Plan', period: 'Length of a period, such as 1 month or 30 days' } as const
const NUMBERS = {
  units_per_period: 'Units per period',
  reads_per_minute: 'Reads per minute',
  submits_per_minute: 'Submissions per minute',
} as const

interface EditClientProps {
  client: ServiceClient
  onClose: () => void
  onChanged: () => void
}

/** Changes the plan and the limits of a client. */
export function EditClient({ client: stored, onClose, onChanged }: EditClientProps) {
  const client = { ...stored, period: formatPeriod(stored.period) }
  const [texts, setTexts] = useState(() => pick(client, TEXTS))
  const [numbers, setNumbers] = useState(() => pick(client, NUMBERS))
  const [overage_allowed, setOverage] = useState(client.overage_allowed)
  const [trialEnd, setTrialEnd] = useState(client.trial_ends_at?.slice(0, 10) ?? '')
  const wanted = {
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim()])),
    ...Object.fromEntries(Object.entries(numbers).map(([name, text]) => [name, wholeNumber(text)])),
    overage_allowed,
    ...(trialEnd !== (client.trial_ends_at?.slice(0, 10) ?? '') && {
      trial_ends_at: trialEnd === '' ? 'never' : `${trialEnd}T00:00:00Z`,
    }),
  }
  const isComplete = Object.values(wanted).every((value) => value !== undefined && value !== '')
  const changes = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => value !== client[name as keyof ServiceClient]),
  ) as ClientUpdate
  const count = Object.keys(changes).length
  const save = async () => {
    await request('POST', `/v2/clients/${encodeURIComponent(client.client_id)}`, { body: changes })
    toast(`${client.name} is changed. The service applies it within 15 seconds.`)
  }
  return (
    <Confirm
      title={`Change ${client.name}`}
      confirm={confirmOf(changes, count)}
      isReady={isComplete && count > 0}
      run={save}
      onClose={onClose}
      onDone={onChanged}
    >
      {entries(TEXTS).map(([name, label]) => (
        <Field
          key={name}
          label={label}
          maxLength={100}
          value={texts[name]}
          onInput={(text) => setTexts({ ...texts, [name]: text })}
        />
      ))}
      {entries(NUMBERS).map(([name, label]) => (
        <Field
          key={name}
          label={label}
          type="number"
          value={numbers[name]}
          onInput={(text) => setNumbers({ ...numbers, [name]: text })}
        />
      ))}
      <Field label="End of the trial (empty: no trial)" type="date" value={trialEnd} onInput={setTrialEnd} />
      <label class="check">
        <input
          type="checkbox"
          checked={overage_allowed}
          onChange={(event) => setOverage(event.currentTarget.checked)}
        />
        <span>The balance may go below zero</span>
      </label>
      <p class="muted">
        Now: {formatNumber(client.units_per_period)} units per {client.period}. New units and a new period apply from
        the next period on.
      </p>
    </Confirm>
  )
}

const entries = <Name extends string>(labels: Readonly<Record<Name, string>>) =>
  Object.entries(labels) as [Name, string][]

const pick = <Name extends keyof ServiceClient>(client: ServiceClient, labels: Readonly<Record<Name, string>>) =>
  Object.fromEntries(entries(labels).map(([name]) => [name, String(client[name])])) as Record<Name, string>

function confirmOf({ units_per_period: units }: ClientUpdate, count: number): string {
  if (count === 0) return 'No changes'
  if (units === undefined) return `Save ${plural(count, 'change')}`
  const others = count > 1 ? ` and ${plural(count - 1, 'other change')}` : ''
  return `Set ${plural(units, 'unit')} per period${others}`
}
