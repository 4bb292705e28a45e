import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createClient } from '../../../src/auth/clients.ts'
import type { ServiceTables } from '../../../src/db/database.ts'
import { currentSecret, rotateSecret, signingSecrets } from '../../../src/webhooks/secrets.ts'
import { TEST_ACTOR } from '../../helpers/clients.ts'
import { testDatabase } from '../../helpers/database.ts'
import { untilWaitingForLocks } from '../../helpers/waiting-for-locks.ts'
import { WEBHOOK_KEYS } from '../../helpers/webhook-keys.ts'

it('serializes concurrent rotations of a webhook secret, and continues to sign with every returned secret', async () => {
  await using service = await testDatabase<ServiceTables>('service')
  const { db } = service
  await createClient(db, { client_id: 'acme', name: 'Acme' })
  const original = await currentSecret(db, 'acme', WEBHOOK_KEYS, TEST_ACTOR)
  // Both rotations wait for the row that they update.
  const held = await db.transaction().execute(async (trx) => {
    await sql`select from webhook_secret where client_id = 'acme' for update`.execute(trx)
    const rotations = [rotateSecret(db, 'acme', WEBHOOK_KEYS), rotateSecret(db, 'acme', WEBHOOK_KEYS)]
    await untilWaitingForLocks(db, 2)
    return { rotations }
  })
  const shown = await Promise.all(held.rotations)
  expect(new Set([original, ...shown]).size).toBe(3)
  expect(shown).toContain(await currentSecret(db, 'acme', WEBHOOK_KEYS, TEST_ACTOR))
  expect(await signingSecrets(db, 'acme', WEBHOOK_KEYS)).toHaveLength(3)
})
