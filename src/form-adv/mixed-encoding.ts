/** Matches, in bytes decoded as Latin-1, a valid multi-byte UTF-8 sequence or any other non-ASCII byte. */
const ABOVE_ASCII =
  /(?:[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf4][\x80-\xbf]{3})|[\x80-\xff]/g

const windows1252 = new TextDecoder('windows-1252')

/** Like a TextDecoder for UTF-8, but decodes invalid bytes as Windows-1252. */
export class MixedDecoder {
  #held = Buffer.alloc(0)
  #isStart = true

  decode(chunk: Buffer = Buffer.alloc(0), { stream = false } = {}): string {
    const bytes = Buffer.concat([this.#held, chunk])
    const end = stream ? wholeLength(bytes) : bytes.length
    this.#held = Buffer.from(bytes.subarray(end))
    const text = bytes.toString('latin1', 0, end).replace(ABOVE_ASCII, (found) => {
      const original = Buffer.from(found, 'latin1')
      return found.length > 1 ? original.toString('utf8') : windows1252.decode(original)
    })
    const withoutMark = this.#isStart ? text.replace(/^\ufeff/, '') : text
    this.#isStart &&= text === ''
    return withoutMark
  }
}

/** Counts multi-byte UTF-8 sequences and other non-ASCII bytes. */
export class EncodingCounter {
  sequences = 0
  others = 0
  #held = Buffer.alloc(0)

  add(chunk: Buffer, isLast = false): void {
    const bytes = Buffer.concat([this.#held, chunk])
    const end = isLast ? bytes.length : wholeLength(bytes)
    this.#held = Buffer.from(bytes.subarray(end))
    for (const [found] of bytes.toString('latin1', 0, end).matchAll(ABOVE_ASCII)) {
      if (found.length > 1) this.sequences += 1
      else this.others += 1
    }
  }
}

/** Returns the length without trailing non-ASCII bytes, which may be an incomplete sequence. */
function wholeLength(bytes: Buffer): number {
  let end = bytes.length
  while (end > 0 && bytes.length - end < 4 && (bytes[end - 1] as number) > 0x7f) end -= 1
  return end
}
