/** What orders two snapshots. */
export interface SnapshotOrder {
  number: number
  /** PostgreSQL's LSN when the tables were read, such as `16/B374D848`. */
  wal_position: string
}

/**
 * Compares snapshots by number, and concurrent exports with the same number by the time at which they read the warehouse. No clock is
 * involved, because one that is ahead would keep its snapshot the latest until the others have caught up.
 */
export function compareOrder(a: SnapshotOrder, b: SnapshotOrder): number {
  if (a.number !== b.number) return a.number - b.number
  const [ofA, ofB] = [bytesOf(a.wal_position), bytesOf(b.wal_position)]
  return ofA === ofB ? 0 : ofA > ofB ? 1 : -1
}

/** An LSN is two hexadecimal numbers of 32 bits. */
function bytesOf(position: string): bigint {
  const [high = '0', low = '0'] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
