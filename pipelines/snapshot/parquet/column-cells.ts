import type { Encode } from './encode-text.ts'

/** Storage of a column's values: all values, a dictionary of distinct values, or the smaller of the two. */
export type Storage = 'plain' | 'dictionary' | 'smaller'

const LENGTH_BYTES = 4
/** Number of values after which a column with mostly distinct values switches to plain encoding. */
const SAMPLE = 1024
const SAMPLE_LIMIT = 0.9
const FNV_OFFSET = 0x811c9dc5 | 0
const FNV_PRIME = 0x01000193

/** FNV-1a. `firstHash` is the hash of an empty value. */
export const firstHash = FNV_OFFSET
export const nextHash = (hash: number, byte: number): number => Math.imul(hash ^ byte, FNV_PRIME)

/**
 * The cells of one column in a row group. Values are copied as bytes into one array, each preceded by its length, as in
 * Parquet's plain encoding of strings. No object is created per cell, because with one string per cell, garbage
 * collection takes a third of the time.
 */
export class ColumnCells {
  /** Size of a value in Parquet; undefined for strings, whose size varies. */
  readonly #width: number | undefined
  readonly #storage: Storage
  #bytes = Buffer.alloc(1024)
  #size = 0
  /** For each row, 1 for a value and 0 for null. */
  #levels = new Uint8Array(1024)
  #rows = 0
  /** For each value, the index of its distinct value. */
  #indexes = new Int32Array(1024)
  #values = 0
  /** Size of the values in Parquet's plain encoding. */
  #plainSize = 0
  /** For each distinct value, its position in `#bytes` and its hash. */
  #starts = new Int32Array(256)
  #hashes = new Int32Array(256)
  #distinct = 0
  /**
   * Open-addressing hash table of distinct values. A slot contains the index of a distinct value plus one, or 0 if the
   * slot is free.
   */
  #slots = new Int32Array(512)
  #isDictionary: boolean

  constructor(storage: Storage, width: number | undefined) {
    this.#storage = storage
    this.#width = width
    this.#isDictionary = storage !== 'plain'
  }

  get rows(): number {
    return this.#rows
  }

  /** For each row, 1 for a value and 0 for null. */
  get levels(): Uint8Array {
    return this.#levels.subarray(0, this.#rows)
  }

  get nulls(): number {
    return this.#rows - this.#values
  }

  /** For each value, the index of its distinct value. Undefined if every value is stored. */
  get indexes(): Int32Array | undefined {
    return this.#isDictionary ? this.#indexes.subarray(0, this.#values) : undefined
  }

  /** Number of stored values. */
  get stored(): number {
    return this.#isDictionary ? this.#distinct : this.#values
  }

  /** The stored values, each preceded by its length in 4 bytes. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#size)
  }

  /** The stored values as text. */
  texts(): string[] {
    const texts = new Array<string>(this.stored)
    for (let place = 0, at = 0; place < texts.length; place += 1) {
      const end = at + LENGTH_BYTES + this.#bytes.readUInt32LE(at)
      texts[place] = this.#bytes.toString('utf8', at + LENGTH_BYTES, end)
      at = end
    }
    return texts
  }

  /** Encodes the stored values, which have a fixed width. */
  encode(encode: Encode, width: number): DataView {
    const encoded = new DataView(new ArrayBuffer(this.stored * width))
    for (let place = 0, at = 0; place < this.stored; place += 1) {
      const start = at + LENGTH_BYTES
      at = start + this.#bytes.readUInt32LE(at)
      encode(this.#bytes, start, at, encoded, place * width)
    }
    return encoded
  }

  addNull(): void {
    this.#addLevel(0)
  }

  /** Adds the value between two positions. `hash` is its FNV-1a hash. */
  add(bytes: Uint8Array, start: number, end: number, hash: number): void {
    this.#addLevel(1)
    this.#plainSize += this.#width ?? LENGTH_BYTES + end - start
    if (!this.#isDictionary) {
      this.#store(bytes, start, end)
      this.#values += 1
      return
    }
    if (this.#values === this.#indexes.length) this.#indexes = grown(this.#indexes)
    this.#indexes[this.#values] = this.#find(bytes, start, end, hash)
    this.#values += 1
    if (
      this.#values === SAMPLE &&
      this.#storage === 'smaller' &&
      this.#dictionarySize() > SAMPLE_LIMIT * this.#plainSize
    )
      this.#storePlainly()
  }

  /**
   * Stores every value if a dictionary would not save half the size. A column with plain encoding never switches back.
   */
  choose(): void {
    if (!this.#isDictionary || this.#storage !== 'smaller') return
    const indexSize = (this.#values * Math.ceil(Math.log2(this.#distinct))) / 8
    if (this.#values === 0 || 2 * (this.#dictionarySize() + indexSize) > this.#plainSize) this.#storePlainly()
  }

  clear(): void {
    this.#size = 0
    this.#rows = 0
    this.#values = 0
    this.#plainSize = 0
    this.#distinct = 0
    if (this.#isDictionary) this.#slots.fill(0)
  }

  #dictionarySize(): number {
    return this.#width === undefined ? this.#size : this.#distinct * this.#width
  }

  #addLevel(level: number): void {
    if (this.#rows === this.#levels.length) this.#levels = grown(this.#levels)
    this.#levels[this.#rows] = level
    this.#rows += 1
  }

  /** Returns the index of a distinct value, and stores the value if it is new. */
  #find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1
    let slot = hash & mask
    for (let found = this.#slots[slot] as number; found !== 0; found = this.#slots[slot] as number) {
      if (this.#hashes[found - 1] === hash && this.#isEqual(found - 1, bytes, start, end)) return found - 1
      slot = (slot + 1) & mask
    }
    if (this.#distinct === this.#starts.length) {
      this.#starts = grown(this.#starts)
      this.#hashes = grown(this.#hashes)
    }
    this.#starts[this.#distinct] = this.#size
    this.#hashes[this.#distinct] = hash
    this.#store(bytes, start, end)
    this.#distinct += 1
    this.#slots[slot] = this.#distinct
    if (2 * this.#distinct > this.#slots.length) this.#growSlots()
    return this.#distinct - 1
  }

  #isEqual(distinct: number, bytes: Uint8Array, start: number, end: number): boolean {
    const at = this.#starts[distinct] as number
    const length = this.#bytes.readUInt32LE(at)
    if (length !== end - start) return false
    const own = this.#bytes
    for (let place = 0; place < length; place += 1)
      if (own[at + LENGTH_BYTES + place] !== bytes[start + place]) return false
    return true
  }

  #growSlots(): void {
    this.#slots = new Int32Array(2 * this.#slots.length)
    const mask = this.#slots.length - 1
    for (let distinct = 0; distinct < this.#distinct; distinct += 1) {
      let slot = (this.#hashes[distinct] as number) & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = distinct + 1
    }
  }

  #store(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start
    this.#reserve(LENGTH_BYTES + length)
    const own = this.#bytes
    own.writeUInt32LE(length, this.#size)
    const to = this.#size + LENGTH_BYTES
    // For a short value, a loop is faster than a copy call.
    if (length > 64) own.set(bytes.subarray(start, end), to)
    else for (let place = 0; place < length; place += 1) own[to + place] = bytes[start + place] as number
    this.#size = to + length
  }

  #reserve(size: number): void {
    if (this.#size + size <= this.#bytes.length) return
    const bytes = Buffer.alloc(Math.max(2 * this.#bytes.length, this.#size + size))
    bytes.set(this.#bytes.subarray(0, this.#size))
    this.#bytes = bytes
  }

  #storePlainly(): void {
    const distinct = this.#bytes
    const starts = this.#starts
    this.#isDictionary = false
    this.#bytes = Buffer.alloc(distinct.length)
    this.#size = 0
    for (let value = 0; value < this.#values; value += 1) {
      const start = (starts[this.#indexes[value] as number] as number) + LENGTH_BYTES
      this.#store(distinct, start, start + distinct.readUInt32LE(start - LENGTH_BYTES))
    }
  }
}

function grown<Values extends Uint8Array | Int32Array>(values: Values): Values {
  const larger = new (values.constructor as new (length: number) => Values)(2 * values.length)
  larger.set(values)
  return larger
}
