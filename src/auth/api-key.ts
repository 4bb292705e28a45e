import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'thk_'
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Number of base 62 digits for 130 bits: 62^22 > 2^130. */
const SECRET_LENGTH = 22
const CHECKSUM_LENGTH = 6
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`)

/** Generates a key: `thk_`, 130 random bits in base 62, and a checksum for secret scanners. */
export function generateApiKey(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('')
  return `${PREFIX}${secret}${checksum(secret)}`
}

/**
 * Reports whether the text has the format and a valid checksum of a key. Typos are rejected without a database query.
 */
export function isApiKey(text: string): boolean {
  if (!SHAPE.test(text)) return false
  const secret = text.slice(PREFIX.length, -CHECKSUM_LENGTH)
  return text.endsWith(checksum(secret))
}

/** SHA-256 of the key. Only this hash is stored. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

function checksum(secret: string): string {
  let rest = crc32(secret)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = DIGITS[rest % DIGITS.length] + digits
    rest = Math.floor(rest / DIGITS.length)
  }
  return digits
}
