import { useState } from 'preact/hooks'
import type { ServiceClient, ServiceClientList } from '../../../src/contract/clients.ts'
import { formatNumber, formatPeriod } from '../../lib/format.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Loaded } from '../../ui/page.tsx'
import { hidden, num, TableCard } from '../../ui/table-frame.tsx'
import { Outside, Time } from '../../ui/text.tsx'
import { EditClient } from './edit-client.tsx'
import { GrantUnits } from './grant-units.tsx'

/** All clients of the service with their plans and balances. */
export function Clients() {
  const list = useResource<ServiceClientList>('/v2/clients')
  const [open, setOpen] = useState<{ client: ServiceClient; form: 'edit' | 'grant' }>()
  const close = () => setOpen(undefined)
  const change = () => {
    close()
    list.reload()
  }
  return (
    <Loaded resource={list} lines={3}>
      {({ clients }) => (
        <>
          <TableCard
            title="Clients"
            label="Clients"
            columns={[
              'Client',
              hidden('Actions'),
              'Plan',
              num('Units per period'),
              'Period',
              num('Balance'),
              num('Used this period'),
              'Overage',
              'Trial ends',
            ]}
          >
            {clients.map((client) => (
              <tr key={client.client_id}>
                <th scope="row">
                  <Outside max={80}>{client.name}</Outside>
                  <div class="muted">
                    <code>{client.client_id}</code>
                  </div>
                </th>
                <td class="nowrap">
                  <button
                    type="button"
                    class="button small"
                    aria-label={`Change ${client.name}`}
                    onClick={() => setOpen({ client, form: 'edit' })}
                  >
                    Change
                  </button>{' '}
                  <button
                    type="button"
                    class="button small"
                    aria-label={`Grant units to ${client.name}`}
                    onClick={() => setOpen({ client, form: 'grant' })}
                  >
                    Grant units
                  </button>
                </td>
                <td>
                  <Outside max={60}>{client.plan}</Outside>
                </td>
                <td class="num">{formatNumber(client.units_per_period)}</td>
                <td class="nowrap">{formatPeriod(client.period)}</td>
                <td class="num">{formatNumber(client.units_remaining)}</td>
                <td class="num">{formatNumber(client.units_used_this_period)}</td>
                <td>{client.overage_allowed ? 'allowed' : 'no'}</td>
                <td>
                  <Time iso={client.trial_ends_at} />
                </td>
              </tr>
            ))}
          </TableCard>
          {open?.form === 'edit' && <EditClient client={open.client} onClose={close} onChanged={change} />}
          {open?.form === 'grant' && <GrantUnits client={open.client} onClose={close} onChanged={change} />}
        </>
      )}
    </Loaded>
  )
}
