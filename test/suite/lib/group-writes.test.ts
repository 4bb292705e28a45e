import { describe, expect, it } from 'vitest'
import { groupWrites } from '../../../src/lib/group-writes.ts'

describe('grouped writes', () => {
  it('combines the items that arrive during a write, up to the maximum', async () => {
    const groups: number[][] = []
    const first = Promise.withResolvers<void>()
    const write = groupWrites(3, async (items: number[]) => {
      groups.push(items)
      if (groups.length === 1) await first.promise
      return items.map((item) => item * 10)
    })
    const written = [1, 2, 3, 4, 5].map(write)
    first.resolve()
    expect(await Promise.all(written)).toEqual([10, 20, 30, 40, 50])
    expect(groups).toEqual([[1], [2, 3, 4], [5]])
    expect(await write(6)).toBe(60)
  })

  it('fails all items of a failed group write and continues with the next group', async () => {
    const write = groupWrites(2, async (items: number[]) => {
      if (items.includes(2)) throw new Error('refused')
      return items
    })
    const written = await Promise.allSettled([1, 2, 3, 4].map(write))
    expect(written.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  })
})
