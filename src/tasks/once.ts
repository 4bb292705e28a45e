import type { Db } from '../db/database.ts'
import type { Idempotency } from './idempotency.ts'
import { claimKey, storeResponse } from './idempotency.ts'

/**
 * Applies a change at most once per idempotency key, in the caller's transaction. A repeated call returns the first response.
 * Throws `unprocessable` if the key was used for a different request.
 */
export async function once<Response extends object>(
  trx: Db,
  clientId: string,
  idempotency: Idempotency | null,
  change: () => Promise<Response>,
): Promise<{ response: Response; isRepeated: boolean }> {
  const earlier = idempotency && (await claimKey<Response>(trx, clientId, idempotency))
  if (earlier) return { response: earlier, isRepeated: true }
  const response = await change()
  if (idempotency) await storeResponse(trx, clientId, idempotency, response)
  return { response, isRepeated: false }
}
