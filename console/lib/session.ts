import { computed, signal } from '@preact/signals'
import type { Scope } from '../../src/contract/scopes.ts'
import type { Identity } from '../../src/contract/sessions.ts'
import { get, RequestError, request, whenSignedOut } from './http.ts'
import { forgetReplies } from './use-resource.ts'

/** The signed-in key; null when signed out, undefined while loading. */
export const identity = signal<Identity | null | undefined>(undefined)

/** Error from loading the identity; undefined if loading succeeded or the user is signed out. */
export const identityError = signal<RequestError | undefined>(undefined)

const scopes = computed(() => new Set(identity.value?.scopes))

/**
 * Returns whether the key has a scope. The console hides buttons and pages for which the key lacks the scope; the
 * server also rejects the corresponding requests.
 */
export const may = (scope: Scope): boolean => scopes.value.has(scope)

/** Returns whether this service has a warehouse that the key can read. */
export const mayReadWarehouse = (): boolean => may('warehouse') && identity.value?.has_warehouse === true

/**
 * Returns whether the key can query the warehouse in SQL. Requires the `contacts` scope, because tables contain contact
 * data.
 */
export const mayQueryWarehouse = (): boolean => mayReadWarehouse() && may('contacts')

whenSignedOut(() => {
  identity.value = null
  forgetReplies()
})

export async function readIdentity(): Promise<void> {
  try {
    identity.value = await get<Identity>('/v2/identity')
    identityError.value = undefined
  } catch (error) {
    if (identity.value === null) return
    identityError.value = error instanceof RequestError ? error : undefined
  }
}

/** Signs in with an API key or the secret of a one-time link. Throws `RequestError`. */
export async function signIn(credential: { api_key: string } | { link: string }): Promise<void> {
  identity.value = await request<Identity>('POST', '/v2/sessions', { body: credential })
}

export async function signOut(): Promise<void> {
  await request('DELETE', '/v2/sessions/current').catch(() => undefined)
  identity.value = null
  forgetReplies()
}
