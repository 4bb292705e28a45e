/** The sort key for snapshots. */
export interface SnapshotOrder {
  number: number
  /** PostgreSQL's LSN when the warehouse was read, such as `16/B374D848`. */
  wal_position: string
}

/**
 * Compares snapshots by number, and concurrent exports with the same number by LSN. Does not use clocks, because a
 * snapshot from a host whose clock is ahead would remain the latest for too long.
 */
export function compareOrder(a: SnapshotOrder, b: SnapshotOrder): number {
  if (a.number !== b.number) return a.number - b.number
  const [ofA, ofB] = [bytesOf(a.wal_position), bytesOf(b.wal_position)]
  return ofA === ofB ? 0 : ofA > ofB ? 1 : -1
}

/** The byte position of an LSN, which consists of two 32-bit hexadecimal numbers. */
function bytesOf(position: string): bigint {
  const [high = '0', low = '0'] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
