import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { AppError } from '../lib/errors.ts'

/**
 * 32-byte keys stored outside the database. The first key is used to seal, and all keys can be used to open. Without
 * keys, secrets are stored unsealed.
 */
export type SealingKeys = readonly Buffer[]

/** A secret in its stored form. */
export interface StoredSecret {
  secret: Buffer
  is_sealed: boolean
}

const CIPHER = 'aes-256-gcm'
const NONCE = 12
const TAG = 16

/** Parses `TALHOUSE_WEBHOOK_KEYS`, comma-separated 32-byte keys in base64. Throws `configuration`. */
export function readSealingKeys(text = ''): SealingKeys {
  const keys = text.split(',').filter((part) => part.trim() !== '')
  return keys.map((part) => {
    const key = Buffer.from(part, 'base64')
    if (key.length === 32) return key
    const message = 'TALHOUSE_WEBHOOK_KEYS must be 32 bytes in base64, or several such keys separated by commas'
    throw new AppError('configuration', `${message}. Generate one with \`openssl rand -base64 32\`.`)
  })
}

/** Seals a secret, with the client ID as associated data. The result contains the nonce, the tag and the ciphertext. */
export function sealSecret(secret: Buffer, clientId: string, [key]: SealingKeys): StoredSecret {
  if (!key) return { secret, is_sealed: false }
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(clientId))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  return { secret: Buffer.concat([nonce, cipher.getAuthTag(), sealed]), is_sealed: true }
}

/** Opens a stored secret. Throws `configuration` if the secret was sealed with another key. */
export function openSecret({ secret, is_sealed }: StoredSecret, clientId: string, keys: SealingKeys): Buffer {
  if (!is_sealed) return secret
  const opened = keys.map((key) => tryToOpen(secret, clientId, key)).find((one) => one !== undefined)
  if (opened) return opened
  throw new AppError(
    'configuration',
    `The webhook secret of ${clientId} was sealed with another key. Append that key to TALHOUSE_WEBHOOK_KEYS.`,
  )
}

function tryToOpen(sealed: Buffer, clientId: string, key: Buffer): Buffer | undefined {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE), { authTagLength: TAG })
    .setAAD(Buffer.from(clientId))
    .setAuthTag(sealed.subarray(NONCE, NONCE + TAG))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()])
  } catch {
    return undefined // another key
  }
}
