import { useState } from 'preact/hooks'
import { randomKey } from '../../../src/client/idempotency-key.ts'
import type { ServiceClient, UnitsGranted } from '../../../src/contract/clients.ts'
import { formatNumber, plural } from '../../lib/format.ts'
import { request } from '../../lib/http.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { toast } from '../../ui/feedback.tsx'
import { Field, wholeNumber } from '../../ui/field.tsx'

interface ClientFormProps {
  client: ServiceClient
  onClose: () => void
  onChanged: () => void
}

/** Grants units to a client, or withdraws granted units. */
export function GrantUnits({ client, onClose, onChanged }: ClientFormProps) {
  const [text, setText] = useState('')
  const [reason, setReason] = useState('')
  const [key] = useState(randomKey)
  const units = wholeNumber(text) ?? 0
  const grant = async () => {
    const path = `/v2/clients/${encodeURIComponent(client.client_id)}/grants`
    const body = { units, reason: reason.trim() }
    // The key includes the input, so repeating a grant has no effect, but a corrected grant is accepted.
    const headers = { 'idempotency-key': `${key}-${units}-${encodeURIComponent(body.reason).slice(0, 150)}` }
    const { units_remaining } = await request<UnitsGranted>('POST', path, { body, headers })
    toast(`${client.name} has ${plural(units_remaining, 'unit')}.`)
  }
  return (
    <Confirm
      title={`Grant units to ${client.name}`}
      confirm={
        units === 0
          ? 'Grant units'
          : units < 0
            ? `Withdraw ${plural(-units, 'unit')}`
            : `Grant ${plural(units, 'unit')}`
      }
      isDangerous={units < 0}
      isReady={units !== 0 && reason.trim() !== ''}
      run={grant}
      onClose={onClose}
      onDone={onChanged}
    >
      <Field label="Units (negative to withdraw granted units)" type="number" value={text} onInput={setText} />
      <Field
        label="Reason, which the client sees in its ledger"
        maxLength={200}
        placeholder="invoice 2026-117"
        value={reason}
        onInput={setReason}
      />
      <dl class="facts">
        <dt>Balance</dt>
        <dd>{formatNumber(client.units_remaining)}</dd>
        <dt>Balance after</dt>
        <dd class="strong">{formatNumber(client.units_remaining + units)}</dd>
      </dl>
      <p class="muted">Granted units are used after the plan's units and do not expire.</p>
    </Confirm>
  )
}
