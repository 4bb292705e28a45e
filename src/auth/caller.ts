import type { Scope } from '../contract/scopes.ts'
import { AppError } from '../lib/errors.ts'

declare module '../lib/errors.ts' {
  interface ErrorCodes {
    trial_expired: true
  }
}

/** The authenticated client of a request. */
export interface Caller {
  clientId: string
  keyId: string
  scopes: readonly Scope[]
  /** Expiry time of the key in ISO 8601; null if the key does not expire. */
  expiresAt: string | null
  plan: string
  /** End of the trial in ISO 8601; null if the client is not on trial. */
  trialEndsAt: string | null
  readsPerMinute: number
  submitsPerMinute: number
  /** The request's browser session; absent for requests with an API key. */
  sessionId?: string
}

/** Returns the caller's client ID if `clientId` is that ID or `me`. Throws `not_found` for all other IDs. */
export function resolveClientId(caller: Caller, clientId: string): string {
  if (clientId === 'me' || clientId === caller.clientId) return caller.clientId
  throw new AppError('not_found', 'Client not found. Use your own client id, or `me`.')
}

/** The error for a request after the end of the client's trial. */
export const trialExpired = ({ trialEndsAt }: Caller): AppError =>
  new AppError('trial_expired', `The trial ended at ${trialEndsAt}. Choose a plan to continue.`)
