import { createHash } from 'node:crypto'

export interface HashedAddress {
  /** The address, trimmed and in lower case, as hashed and stored. */
  email: string
  /** The interface's identifier: the first 16 hex digits of the digest. */
  hash: string
  /** All 64 hex digits, which distinguish addresses that share the first 16. */
  digest: string
}

/** Normalizes and hashes an address. */
export function hashEmail(address: string): HashedAddress {
  const email = address.trim().toLowerCase()
  const digest = createHash('sha256').update(email).digest('hex')
  return { email, hash: digest.slice(0, 16), digest }
}
