import type { TalEntry } from '../../../src/contract/tal.ts'
import { plural } from '../../lib/format.ts'
import { request } from '../../lib/http.ts'
import { ConfirmButton } from '../../ui/dialog.tsx'
import { toast } from '../../ui/feedback.tsx'
import { LIST } from './list.ts'

/** Removes accounts from the list after a confirmation. The message shown afterwards has an Undo action. */
export function RemoveAccounts({
  accounts,
  label = 'Remove',
  onChanged,
}: {
  accounts: readonly TalEntry[]
  label?: string
  onChanged: () => void
}) {
  const count = plural(accounts.length, 'account')

  const remove = async () => {
    await request('DELETE', LIST, { body: { domains: accounts.map(({ domain }) => domain) } })
    toast(`${count} removed.`, { label: 'Undo', run: () => void restore(accounts).then(onChanged) })
    onChanged()
  }
  return (
    <ConfirmButton
      label={label}
      look="danger"
      title={`Remove ${count} from the list`}
      confirm={`Remove ${count}`}
      isDangerous
      run={remove}
    >
      <p>
        Nightly runs stop refreshing {accounts.length === 1 ? 'it' : 'them'}. Records and history are kept, and you can
        undo the removal.
      </p>
    </ConfirmButton>
  )
}

/** Adds the removed accounts again, with their tags and attributes. */
async function restore(accounts: readonly TalEntry[]): Promise<void> {
  const bySource = Map.groupBy(accounts, ({ source }) => source)
  for (const [source, group] of bySource)
    await request('POST', LIST, {
      body: {
        entries: group.map(({ domain, attributes }) => ({ domain, attributes })),
        ...(source !== null && { source }),
      },
    })
  toast(`${plural(accounts.length, 'account')} restored.`)
}
