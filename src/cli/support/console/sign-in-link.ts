import { audited } from '../../../audit/audit-log.ts'
import { listApiKeys } from '../../../auth/api-keys.ts'
import { createSignInLink } from '../../../auth/sessions.ts'
import { SCOPES } from '../../../contract/scopes.ts'
import type { Db } from '../../../db/database.ts'
import { cliActor } from '../cli-actor.ts'
import { createMainKey, MAIN_CLIENT } from '../main-client.ts'

const LABEL = 'console of the operator'

/** Creates a one-time link, valid for 30 minutes, that signs the operator in to the console. */
export async function signInLink(db: Db, baseUrl: string): Promise<string> {
  const keyId = await operatorKey(db)
  const change = { action: 'session.create_link', target: MAIN_CLIENT, details: () => ({ key_id: keyId }) }
  const token = await audited(db, cliActor(), change, (trx) => createSignInLink(trx, keyId))
  return `${baseUrl}/console/sign-in#${token}`
}

/**
 * The key with the scopes of the operator's sessions. The key's secret is discarded, so only sessions can use the key.
 */
async function operatorKey(db: Db): Promise<string> {
  const keys = await listApiKeys(db, MAIN_CLIENT)
  const known = keys.find(
    ({ label, revoked_at, expires_at, scopes }) =>
      label === LABEL && revoked_at === null && expires_at === null && SCOPES.every((scope) => scopes.includes(scope)),
  )
  return (known ?? (await createMainKey(db, { label: LABEL, scopes: SCOPES }))).key_id
}
