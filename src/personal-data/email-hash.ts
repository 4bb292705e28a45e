import { createHash } from 'node:crypto'

export interface HashedAddress {
  /** The trimmed, lower-case address, as hashed and stored. */
  email: string
  /** The person's identifier in the API: the first 16 hex digits of the SHA-256. */
  hash: string
  /** All 64 hex digits, which distinguish addresses with the same `hash`. */
  digest: string
}

/** Normalizes and hashes an address. */
export function hashEmail(address: string): HashedAddress {
  const email = address.trim().toLowerCase()
  const digest = createHash('sha256').update(email).digest('hex')
  return { email, hash: digest.slice(0, 16), digest }
}
