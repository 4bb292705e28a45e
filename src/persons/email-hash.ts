import { createHash } from 'node:crypto'

export interface HashedAddress {
  /** As it is hashed and stored: trimmed, lower case. */
  email: string
  /** The interface's identifier: the first 16 hex digits of the digest. */
  hash: string
  /** All 64 hex digits of the SHA-256: tells two addresses apart that share the first 16. */
  digest: string
}

/** What an address is known by. */
export function hashEmail(address: string): HashedAddress {
  const email = address.trim().toLowerCase()
  const digest = createHash('sha256').update(email).digest('hex')
  return { email, hash: digest.slice(0, 16), digest }
}
