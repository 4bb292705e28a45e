import { useState } from 'preact/hooks'
import type { CreatedApiKey } from '../../../src/contract/keys.ts'
import type { Scope } from '../../../src/contract/scopes.ts'
import { request } from '../../lib/http.ts'
import { may } from '../../lib/session.ts'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Copy } from '../../ui/text.tsx'

const SCOPES: readonly [Scope, string][] = [
  ['read', 'Read companies, people, firms, tasks and usage'],
  ['contacts', 'See email addresses and phone numbers of people; needed for SQL'],
  ['lists', 'Read and change the target account list'],
  ['enrich', 'Spend units'],
  ['webhooks', 'Manage webhooks'],
  ['warehouse', 'See runs and freshness of the warehouse'],
  ['admin', 'Start runs, set the budget, manage keys, erase people'],
  ['clients', 'Change plans and grant units of all clients'],
]

/** Creates a key and shows it once. */
export function NewKey({ onCreated }: { onCreated: () => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="button primary" onClick={() => setOpen(true)}>
        Create a key
      </button>
      {isOpen && <Form onCreated={onCreated} onClose={() => setOpen(false)} />}
    </>
  )
}

const DAY_MS = 86_400_000

function Form({ onCreated, onClose }: { onCreated: () => void; onClose: () => void }) {
  const [label, setLabel] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>(['read'])
  const [days, setDays] = useState('')
  const [created, setCreated] = useState<CreatedApiKey>()

  const create = async () => {
    const expires_at = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()
    setCreated(await request<CreatedApiKey>('POST', '/v2/keys', { body: { label: label.trim(), scopes, expires_at } }))
  }

  if (created)
    return (
      <Dialog title="The key is shown only once" onClose={onClose}>
        <p>Copy it and share it over a secure channel. It can be revoked, but not read again.</p>
        <p class="row wrap">
          <code class="code grow">{created.key}</code>
          <Copy text={created.key} label="Copy the key" />
        </p>
        <div class="dialog-actions">
          <button type="button" class="button primary" onClick={onClose}>
            Done
          </button>
        </div>
      </Dialog>
    )
  return (
    <Confirm
      title="Create a key"
      confirm="Create the key"
      isReady={label.trim() !== '' && scopes.length > 0}
      run={create}
      onClose={onClose}
      onDone={onCreated}
    >
      <div class="field">
        <label for="label">Person or program that uses the key</label>
        <input
          id="label"
          class="input"
          maxLength={100}
          placeholder="Mia, analyst"
          value={label}
          onInput={(event) => setLabel(event.currentTarget.value)}
        />
      </div>
      <fieldset class="plain stack-small">
        <legend class="muted">Scopes</legend>
        {SCOPES.filter(([scope]) => scope !== 'clients' || may('clients')).map(([scope, text]) => (
          <label class="check" key={scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={(event) =>
                setScopes(event.currentTarget.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
              }
            />
            <span>
              {text} <code class="muted">{scope}</code>
            </span>
          </label>
        ))}
      </fieldset>
      <label class="field">
        <span>Expires</span>
        <select class="input" value={days} onChange={(event) => setDays(event.currentTarget.value)}>
          <option value="">never</option>
          <option value="30">in 30 days</option>
          <option value="90">in 90 days</option>
          <option value="365">in a year</option>
        </select>
      </label>
    </Confirm>
  )
}
