import type { Readable } from 'node:stream'

export interface StoredObject {
  key: string
  bytes: number
  /** ISO 8601. */
  modified: string
}

/** An object's content, and the tag that a conditional `replace` requires. */
export interface ReadObject {
  body: Readable
  tag: string
}

/**
 * Stores snapshots. Keys are paths, separated by `/`, relative to the sink's prefix. Writes are atomic, so readers
 * never see a partial object.
 */
export interface Sink {
  /** `s3://bucket/prefix` or `file:///folder`. */
  readonly url: string
  /** Stores the stream. Uses a constant amount of memory. */
  write(key: string, content: Readable): Promise<void>
  /** Stores the text. Returns false if the key exists. */
  create(key: string, text: string): Promise<boolean>
  /** Replaces the object if it still has the tag, or creates it if the tag is null. Returns false otherwise. */
  replace(key: string, text: string, tag: string | null): Promise<boolean>
  /** Reads an object. Returns undefined if the object does not exist. */
  read(key: string): Promise<ReadObject | undefined>
  list(prefix: string): AsyncIterable<StoredObject>
  remove(keys: readonly string[]): Promise<void>
  /** Removes unfinished writes that were started before the given time, and returns the count. */
  abandonUnfinished(before: Date): Promise<number>
}
