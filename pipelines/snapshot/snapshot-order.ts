/** The values that define the order of snapshots. */
export interface SnapshotOrder {
  number: number
  /** PostgreSQL's LSN at the time of the read, such as `16/B374D848`. */
  wal_position: string
}

/**
 * Compares snapshots by number, and concurrent exports with the same number by LSN. Does not use clocks, because if a
 * clock were ahead, its snapshot would remain the latest too long.
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
