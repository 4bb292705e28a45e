const QUOTE = 0x22
const NEWLINE = 0x0a

/** Splits a CSV stream into parts of about `bytes` bytes. Splits only between records; a newline in quotes is data. */
export class RecordSplitter {
  readonly #bytes: number
  #inQuotes = false
  #size = 0

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /**
   * Splits a chunk. Returns the chunk's bytes up to the boundary and, if the chunk contains the boundary, the bytes
   * after it.
   */
  split(chunk: Buffer): [Buffer, Buffer | undefined] {
    const end =
      this.#size + chunk.length < this.#bytes
        ? undefined
        : this.#endOfRecord(chunk, Math.max(0, this.#bytes - this.#size))
    if (end === undefined) {
      this.#pass(chunk)
      this.#size += chunk.length
      return [chunk, undefined]
    }
    this.#inQuotes = false
    this.#size = 0
    return [chunk.subarray(0, end), chunk.subarray(end)]
  }

  /**
   * Quotes in a quoted field are doubled, so an odd number of quotes before a position means that the position is in
   * quotes.
   */
  #pass(chunk: Buffer, from = 0, to = chunk.length): void {
    for (let at = chunk.indexOf(QUOTE, from); at !== -1 && at < to; at = chunk.indexOf(QUOTE, at + 1))
      this.#inQuotes = !this.#inQuotes
  }

  #endOfRecord(chunk: Buffer, from: number): number | undefined {
    const before = this.#inQuotes
    let passed = 0
    for (let at = chunk.indexOf(NEWLINE, from); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) {
      this.#pass(chunk, passed, at)
      passed = at
      if (!this.#inQuotes) return at + 1
    }
    this.#inQuotes = before
    return undefined
  }
}
