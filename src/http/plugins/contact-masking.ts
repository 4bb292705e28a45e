import type { Caller } from '../../auth/caller.ts'
import { maskContacts } from '../../personal-data/contact-masking.ts'
import type { App } from '../deps.ts'

/** Masks people's email addresses and phone numbers in JSON responses to keys without the `contacts` scope. */
export function hideContacts(api: App): void {
  api.addHook('preSerialization', async ({ caller }, _reply, payload) =>
    // Requests rejected before authentication have no caller.
    caller === undefined ? payload : visibleTo(caller, payload),
  )
}

/** Returns a response body, with contact data masked unless the caller has the `contacts` scope. */
export const visibleTo = <Value>({ scopes }: Caller, value: Value): Value =>
  scopes.includes('contacts') ? value : maskContacts(value)
