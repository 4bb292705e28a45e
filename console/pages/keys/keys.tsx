import type { ApiKey, ApiKeyList } from '../../../src/contract/keys.ts'
import { request } from '../../lib/http.ts'
import { identity, may } from '../../lib/session.ts'
import { useResource } from '../../lib/use-resource.ts'
import { ConfirmButton } from '../../ui/dialog.tsx'
import { Badge, toast } from '../../ui/feedback.tsx'
import { Card, Loaded, Page } from '../../ui/page.tsx'
import { hidden, TableFrame, wide } from '../../ui/table-frame.tsx'
import { Outside, Time } from '../../ui/text.tsx'
import { NewKey } from './new-key.tsx'
import { Sessions } from './sessions.tsx'

/** The client's API keys and its signed-in sessions. */
export function Keys() {
  const isAdmin = may('admin')
  const keys = useResource<ApiKeyList>(isAdmin ? '/v2/keys' : undefined)
  return (
    <Page
      name="Keys and sessions"
      title="Keys and sessions"
      lead={`API keys of the client ${identity.value?.client_id}, and the browsers that are signed in.`}
      actions={isAdmin && <NewKey onCreated={keys.reload} />}
    >
      {isAdmin && (
        <Loaded resource={keys}>
          {(data) => (
            <Card title="API keys" flush>
              <KeyTable keys={data.keys} onRevoked={keys.reload} />
            </Card>
          )}
        </Loaded>
      )}
      <Sessions />
    </Page>
  )
}

function KeyTable({ keys, onRevoked }: { keys: readonly ApiKey[]; onRevoked: () => void }) {
  return (
    <TableFrame
      label="API keys"
      columns={['Label', 'Key', wide('Scopes'), 'State', 'Created', 'Last used', hidden('Actions')]}
    >
      <tbody>
        {keys.map((key) => (
          <tr key={key.key_id}>
            <th scope="row">
              <Outside max={100}>{key.label}</Outside>
            </th>
            <td>
              <code class="nowrap">thk_…{key.last_four}</code>
            </td>
            <td>{key.scopes.join(', ')}</td>
            <td>
              <State apiKey={key} />
            </td>
            <td>
              <Time iso={key.created_at} />
            </td>
            <td>
              <Time iso={key.last_used_at} />
            </td>
            <td class="num">{key.revoked_at === null && <Revoke apiKey={key} onRevoked={onRevoked} />}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}

/** Label of the key that talhouse creates for its nightly runs. */
const PIPELINES = 'pipelines'

function Revoke({ apiKey: { key_id, label }, onRevoked }: { apiKey: ApiKey; onRevoked: () => void }) {
  const revoke = async () => {
    await request('DELETE', `/v2/keys/${key_id}`)
    toast(`The key ${label} is revoked.`)
    onRevoked()
  }
  return (
    <ConfirmButton
      label="Revoke"
      description={`Revoke ${label}`}
      look="small danger"
      title={`Revoke the key ${label}`}
      confirm="Revoke 1 key"
      isDangerous
      run={revoke}
    >
      <p>
        Requests with this key are rejected within 15 seconds, and its browser sessions end immediately
        {key_id === identity.value?.key_id ? ', including yours' : ''}. A key cannot be restored.
      </p>
      {label === PIPELINES && (
        <p class="strong">
          talhouse gives this label to the key of its nightly runs, which fail if that key is revoked.
        </p>
      )}
    </ConfirmButton>
  )
}

function State({ apiKey: { revoked_at, expires_at } }: { apiKey: ApiKey }) {
  if (revoked_at !== null) return <Badge tone="idle">Revoked</Badge>
  if (expires_at === null) return <Badge tone="good">Valid</Badge>
  if (Date.parse(expires_at) <= Date.now()) return <Badge tone="idle">Expired</Badge>
  return (
    <Badge tone="good">
      Expires <Time iso={expires_at} />
    </Badge>
  )
}
