import { describe, expect, it } from 'vitest'
import { bufferWrites } from '../../../src/lib/buffer-writes.ts'

describe('buffered writes', () => {
  it('writes batches in order while items are added, and the rest on flush', async () => {
    const batches: number[][] = []
    const first = Promise.withResolvers<void>()
    const buffer = bufferWrites(2, async (items: number[]) => {
      batches.push(items)
      if (batches.length === 1) await first.promise
    })
    await buffer.add(1)
    await buffer.add(2)
    await buffer.add(3)
    // The second batch waits for the first batch.
    let hasRoom = false
    const full = buffer.add(4).then(() => {
      hasRoom = true
    })
    await new Promise(setImmediate)
    expect(hasRoom).toBe(false)
    expect(batches).toEqual([[1, 2]])
    first.resolve()
    await full
    await buffer.add(5)
    await buffer.flush()
    expect(batches).toEqual([[1, 2], [3, 4], [5]])
  })

  it('holds at most two batches, whatever the number of concurrent producers', async () => {
    let added = 0
    let written = 0
    let held = 0
    const buffer = bufferWrites(10, async (items: number[]) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      written += items.length
    })
    const produce = async (): Promise<void> => {
      for (let item = 0; item < 20; item += 1) {
        await buffer.add(item)
        added += 1
        held = Math.max(held, added - written)
      }
    }
    await Promise.all(Array.from({ length: 16 }, produce))
    await buffer.flush()
    expect(written).toBe(320)
    expect(held).toBeLessThanOrEqual(20)
  })

  it('throws the error of a failed batch, and writes no further batch', async () => {
    const batches: number[][] = []
    const buffer = bufferWrites(1, async (items: number[]) => {
      batches.push(items)
      throw new Error('refused')
    })
    await buffer.add(1)
    await expect(buffer.add(2)).rejects.toThrow('refused')
    await expect(buffer.flush()).rejects.toThrow('refused')
    expect(batches).toEqual([[1]])
  })
})
