import type { SessionList } from '../../../src/contract/sessions.ts'
import { request } from '../../lib/http.ts'
import { identity, signOut } from '../../lib/session.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Badge, toast } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/page.tsx'
import { hidden, TableCard, wide } from '../../ui/table-frame.tsx'
import { Outside, Time } from '../../ui/text.tsx'

/** The signed-in browsers, each with a button that ends its session. */
export function Sessions() {
  const sessions = useResource<SessionList>('/v2/sessions')
  const end = async (id: string) => {
    if (id === identity.value?.session_id) return await signOut()
    await request('DELETE', `/v2/sessions/${id}`)
    toast('The session has ended.')
    sessions.reload()
  }
  return (
    <Loaded resource={sessions} lines={3}>
      {(data) => (
        <TableCard
          title="Signed-in browsers"
          label="Signed-in browsers"
          columns={[wide('Browser'), 'Key', 'Address', 'Signed in', 'Last seen', 'Ends', hidden('Actions')]}
        >
          {data.sessions.map((session) => {
            const isCurrent = session.session_id === identity.value?.session_id
            return (
              <tr key={session.session_id}>
                <td>
                  {isCurrent && <Badge tone="live">This browser</Badge>}{' '}
                  <Outside max={90}>{session.user_agent}</Outside>
                </td>
                <td>
                  <Outside max={60}>{session.key_label}</Outside>
                </td>
                <td>{session.address}</td>
                <td>
                  <Time iso={session.created_at} />
                </td>
                <td>
                  <Time iso={session.last_seen_at} />
                </td>
                <td>
                  <Time iso={session.expires_at} />
                </td>
                <td class="num">
                  <button type="button" class="button small" onClick={() => void end(session.session_id)}>
                    {isCurrent ? 'Sign out' : 'End'}
                  </button>
                </td>
              </tr>
            )
          })}
        </TableCard>
      )}
    </Loaded>
  )
}
