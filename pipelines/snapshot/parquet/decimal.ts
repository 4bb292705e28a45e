/** The unscaled value of a decimal number: `-1.5` with scale 2 is -150. The number has at most `scale` decimals. */
export function scaleDecimal(text: string, scale: number): bigint {
  const point = text.indexOf('.')
  if (point === -1) return BigInt(text + '0'.repeat(scale))
  const decimals = text.slice(point + 1, point + 1 + scale) // any further decimals are zeros
  return BigInt(text.slice(0, point) + decimals.padEnd(scale, '0'))
}

const LOW_BITS = (1n << 64n) - 1n

/** The value as a big-endian two's complement of 16 bytes. */
export function bytesOfDecimal(unscaled: bigint): Uint8Array {
  const bytes = new Uint8Array(16)
  const view = new DataView(bytes.buffer)
  view.setBigInt64(0, unscaled >> 64n)
  view.setBigUint64(8, unscaled & LOW_BITS)
  return bytes
}
