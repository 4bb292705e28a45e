import type { TalEntry } from '../../../src/contract/tal.ts'
import { printable } from '../../lib/format.ts'
import { asRequestError, request } from '../../lib/http.ts'
import { toast } from '../../ui/feedback.tsx'
import { Card } from '../../ui/page.tsx'
import { Outside, Time } from '../../ui/text.tsx'
import { LIST } from '../accounts/list.ts'
import { RemoveAccounts } from '../accounts/remove-accounts.tsx'

/** The company's list entry: its tag and imported attributes. */
export const ListEntry = ({ entry: { attributes, source, added_at } }: { entry: TalEntry }) => (
  <Card
    title="On your list"
    aside={
      <span class="muted">
        added <Time iso={added_at} />
      </span>
    }
  >
    <dl class="facts">
      <dt>Tag</dt>
      <dd>
        <Outside max={100}>{source}</Outside>
      </dd>
      {Object.entries(attributes).map(([name, value]) => [
        <dt key={`${name}-name`} class="outside">
          {printable(name)}
        </dt>,
        <dd key={name}>
          <Outside>{value}</Outside>
        </dd>,
      ])}
    </dl>
  </Card>
)

interface ListMembershipProps {
  domain: string
  /** The company's list entry; undefined if the company is not on the list. */
  entry: TalEntry | undefined
  onChanged: () => void
}

/** Removes the company from the list after a confirmation, or adds it. */
export function ListMembership({ domain, entry, onChanged }: ListMembershipProps) {
  if (entry) return <RemoveAccounts accounts={[entry]} label="Remove from the list" onChanged={onChanged} />
  const add = async () => {
    try {
      await request('POST', LIST, { body: { domains: [domain] } })
      toast('1 account added.')
      onChanged()
    } catch (problem) {
      toast(asRequestError(problem).message)
    }
  }
  return (
    <button type="button" class="button" onClick={() => void add()}>
      Add to the list
    </button>
  )
}
