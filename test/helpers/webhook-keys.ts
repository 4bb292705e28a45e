import type { SealingKeys } from '../../src/webhooks/seal-secret.ts'

/** Keys that are identical in every process of a test. */
export const WEBHOOK_KEYS: SealingKeys = [Buffer.alloc(32, 'tests only')]
