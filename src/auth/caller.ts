import { AppError } from '../lib/errors.ts'

/** Who calls: what a request may know of its client. */
export interface Caller {
  clientId: string
  keyId: string
  plan: string
  /** ISO 8601; null when the client is not on trial. */
  trialEndsAt: string | null
  readsPerMinute: number
  submitsPerMinute: number
}

/** `me` is the caller's own client. Any other client does not exist, as far as this caller is told. */
export function resolveClientId(caller: Caller, clientId: string): string {
  if (clientId === 'me' || clientId === caller.clientId) return caller.clientId
  throw new AppError('not_found', 'There is no such client. Use your own client id, or `me`.')
}
