import { hash } from 'node:crypto'

/** Identifies one slice of all records, which are divided into `of` slices. `number` starts at 0. */
export interface Slice {
  number: number
  of: number
}

const DAY_MS = 86_400_000

/**
 * The slice that is compared in the nightly run on the date `night` (YYYY-MM-DD). `of` consecutive nights cover all
 * records.
 */
export const sliceOfNight = (night: string, of: number): Slice => ({
  number: Math.floor(Date.parse(night) / DAY_MS) % of,
  of,
})

/** Whether a record belongs to the slice. Slices are assigned by a hash of the key. */
export const isInSlice = (key: string, { number, of }: Slice): boolean =>
  Number.parseInt(hash('md5', key).slice(0, 8), 16) % of === number
