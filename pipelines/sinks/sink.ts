import type { Readable } from 'node:stream'

export interface StoredObject {
  key: string
  bytes: number
  /** ISO 8601. */
  modified: string
}

/** What was read, and the tag that a conditional `replace` asks for. */
export interface ReadObject {
  body: Readable
  tag: string
}

/**
 * Where snapshots are kept. Keys are paths with `/`, below the sink's own prefix. An object appears whole or not at all:
 * a reader never sees half of one.
 */
export interface Sink {
  /** For a person: `s3://bucket/prefix` or `file:///folder`. */
  readonly url: string
  /** Stores the stream. Memory stays bounded whatever its length. */
  write(key: string, content: Readable): Promise<void>
  /** Stores the text unless the key is taken; then it answers false. */
  create(key: string, text: string): Promise<boolean>
  /** Replaces what still has the tag (null: what is not there yet). False when somebody else was faster. */
  replace(key: string, text: string, tag: string | null): Promise<boolean>
  /** Undefined when there is no such object. */
  read(key: string): Promise<ReadObject | undefined>
  list(prefix: string): AsyncIterable<StoredObject>
  remove(keys: readonly string[]): Promise<void>
  /** Clears away what writers left behind that were killed before the given time. Returns how many. */
  abandonUnfinished(before: Date): Promise<number>
}
