/**
 * Encodes a value for Parquet. The value is ASCII text between two positions, in PostgreSQL's text format. Encoders
 * write numbers without creating objects. With BigInt and one array per decimal, encoding took most of the time of an
 * export.
 */
export type Encode = (bytes: Uint8Array, start: number, end: number, to: DataView, at: number) => void

const ZERO = 0x30
const MINUS = 0x2d
const POINT = 0x2e
const LETTER_T = 0x74
/** An unsigned 128-bit integer in four 32-bit parts, least significant first. */
const parts = new Uint32Array(4)
const TWO_32 = 0x1_0000_0000
/** Maximum number of digits per multiplication, so that the result fits in 53 bits. */
const STEP_DIGITS = 6
const POWERS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const

export const encodeBoolean: Encode = (bytes, start, _end, to, at) => to.setUint8(at, bytes[start] === LETTER_T ? 1 : 0)

export const encodeInt32: Encode = (bytes, start, end, to, at) => {
  const isNegative = bytes[start] === MINUS
  const value = digits(bytes, isNegative ? start + 1 : start, end)
  to.setInt32(at, isNegative ? -value : value, true)
}

export const encodeInt64: Encode = (bytes, start, end, to, at) => {
  writeInt64(to, at, readScaled(bytes, start, end, 0))
}

/** Encodes a decimal of up to 18 digits, multiplied by a power of ten. */
export const encodeShortDecimal =
  (scale: number): Encode =>
  (bytes, start, end, to, at) =>
    writeInt64(to, at, readScaled(bytes, start, end, scale))

/** Encodes a decimal of up to 38 digits, multiplied by a power of ten, as 16 big-endian bytes. */
export const encodeLongDecimal =
  (scale: number): Encode =>
  (bytes, start, end, to, at) => {
    if (readScaled(bytes, start, end, scale)) negate()
    for (let part = 0; part < 4; part += 1) to.setUint32(at + 12 - 4 * part, parts[part] as number)
  }

export const encodeFloat: Encode = (bytes, start, end, to, at) => to.setFloat32(at, numberOf(bytes, start, end), true)

export const encodeDouble: Encode = (bytes, start, end, to, at) => to.setFloat64(at, numberOf(bytes, start, end), true)

/** Encodes a date such as `2026-11-21` as days since 1970-01-01. Years have four digits. */
export const encodeDate: Encode = (bytes, start, _end, to, at) => to.setInt32(at, daysSince1970(bytes, start), true)

/**
 * Encodes a timestamp such as `2026-11-21 01:02:03.123456+00` as microseconds since 1970-01-01. Sessions run in UTC,
 * and years have four digits.
 */
export const encodeTimestamp: Encode = (bytes, start, end, to, at) => {
  const time = start + 11
  const seconds =
    daysSince1970(bytes, start) * 86_400 +
    digits(bytes, time, time + 2) * 3_600 +
    digits(bytes, time + 3, time + 5) * 60 +
    digits(bytes, time + 6, time + 8)
  const isNegative = seconds < 0
  let micros = 0
  if (bytes[time + 8] === POINT) {
    const first = time + 9
    let last = first
    while (last < end && isDigit(bytes[last])) last += 1
    micros = digits(bytes, first, last) * (POWERS[STEP_DIGITS - (last - first)] as number)
  }
  // Before 1970, fractional seconds round down to the previous whole second, which has a larger magnitude.
  const whole = isNegative && micros > 0 ? -seconds - 1 : Math.abs(seconds)
  parts.fill(0)
  parts[0] = whole % TWO_32
  parts[1] = Math.floor(whole / TWO_32)
  multiplyAdd(1_000_000, isNegative && micros > 0 ? 1_000_000 - micros : micros)
  writeInt64(to, at, isNegative)
}

/**
 * Reads the magnitude of a decimal, multiplied by a power of ten, into `parts`. Returns whether the decimal is
 * negative.
 */
function readScaled(bytes: Uint8Array, start: number, end: number, scale: number): boolean {
  const isNegative = bytes[start] === MINUS
  const first = isNegative ? start + 1 : start
  let point = first
  while (point < end && bytes[point] !== POINT) point += 1
  parts.fill(0)
  addDigits(bytes, first, point)
  const last = Math.min(end, point + 1 + scale) // any further decimal places are zeros
  if (last > point + 1) addDigits(bytes, point + 1, last)
  for (let zeros = scale - Math.max(0, last - point - 1); zeros > 0; zeros -= STEP_DIGITS)
    multiplyAdd(POWERS[Math.min(zeros, STEP_DIGITS)] as number, 0)
  return isNegative
}

function addDigits(bytes: Uint8Array, start: number, end: number): void {
  for (let at = start; at < end; at += STEP_DIGITS) {
    const last = Math.min(end, at + STEP_DIGITS)
    multiplyAdd(POWERS[last - at] as number, digits(bytes, at, last))
  }
}

function multiplyAdd(factor: number, addend: number): void {
  let carry = addend
  for (let part = 0; part < 4; part += 1) {
    const product = (parts[part] as number) * factor + carry
    const low = product >>> 0
    parts[part] = low
    carry = (product - low) / TWO_32
  }
}

/** Two's complement. */
function negate(): void {
  let carry = 1
  for (let part = 0; part < 4; part += 1) {
    const inverted = (~(parts[part] as number) >>> 0) + carry
    parts[part] = inverted >>> 0
    carry = inverted >= TWO_32 ? 1 : 0
  }
}

function writeInt64(to: DataView, at: number, isNegative: boolean): void {
  if (isNegative) negate()
  to.setUint32(at, parts[0] as number, true)
  to.setUint32(at + 4, parts[1] as number, true)
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= ZERO + 9

/** Parses an integer of at most 15 digits. */
function digits(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at += 1) value = value * 10 + (bytes[at] as number) - ZERO
  return value
}

const numberOf = (bytes: Uint8Array, start: number, end: number): number =>
  Number(String.fromCharCode(...bytes.subarray(start, end)))

/** Returns the days from 1970-01-01 to a Gregorian date: https://howardhinnant.github.io/date_algorithms.html */
function daysSince1970(bytes: Uint8Array, start: number): number {
  const month = digits(bytes, start + 5, start + 7)
  const day = digits(bytes, start + 8, start + 10)
  // Years begin in March, so that a leap day is the last day of a year.
  const year = digits(bytes, start, start + 4) - (month <= 2 ? 1 : 0)
  const era = Math.floor(year / 400)
  const yearOfEra = year - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}
