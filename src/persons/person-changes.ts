import { PERSON_HISTORY_FIELDS } from '../contract/history.ts'
import type { PersonObservation } from '../findings/provider.ts'
import { FORM_ADV } from '../findings/sources.ts'
import type { Change } from '../history/history-events.ts'
import type { PersonField } from './merge-person.ts'
import { mergePerson } from './merge-person.ts'
import type { PersonRow } from './person-rows.ts'

/**
 * Returns one change for each field that differs. A change is attributed to the source of the new value or, if the
 * value was removed, to the source of the old value. `observations` contains the previous and current observations.
 */
export function personChanges(
  known: PersonRow | null,
  row: PersonRow,
  observations: { before: readonly PersonObservation[]; now: readonly PersonObservation[] },
): Change[] {
  const witness = (list: readonly PersonObservation[]) => {
    const evidence = list.length > 0 ? mergePerson(list).evidence : new Map()
    return (field: string): string | undefined => evidence.get(field as PersonField)?.[0]?.source
  }
  const [after, before] = [witness(observations.now), witness(observations.before)]
  const anyone = observations.now[0]?.source ?? observations.before[0]?.source ?? 'unknown'
  return PERSON_HISTORY_FIELDS.flatMap((field) => {
    const old_value = known === null ? null : known[field]
    const new_value = row[field]
    if (old_value === new_value || (known === null && new_value === false)) return []
    const source = field === 'in_formadv' ? FORM_ADV : (after(field) ?? before(field) ?? anyone)
    const { person_id } = row
    const email_hash = row.email_hash ?? known?.email_hash ?? null
    return [{ entity: 'person', person_id, email_hash, field, old_value, new_value, source }]
  })
}
