import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BYTE_ORDER, ordersKept } from '../../../../pipelines/walk/key-order.ts'
import type { Keyed } from '../../../../pipelines/walk/page.ts'
import { splitKey } from '../../../../pipelines/walk/split-key.ts'
import type { WalkSteps } from '../../../../pipelines/walk/walk.ts'
import { walk } from '../../../../pipelines/walk/walk.ts'
import type { WalkRange } from '../../../../pipelines/walk/walk-range.ts'
import { openRange } from '../../../../pipelines/walk/walk-range.ts'

const { compare } = BYTE_ORDER
const secNumber = fc
  .tuple(fc.constantFrom('801', '802'), fc.integer({ min: 100, max: 999_999 }))
  .map(([prefix, number]) => `${prefix}-${number}`)
const anyKey = fc.oneof(secNumber, fc.string({ minLength: 1, maxLength: 6, unit: 'binary' }), fc.uuid())
const keySets = fc.oneof(fc.uniqueArray(secNumber, { maxLength: 150 }), fc.uniqueArray(anyKey, { maxLength: 80 }))

describe('a split key', () => {
  it('a split key is strictly between its neighbors', () => {
    fc.assert(
      fc.property(fc.oneof(anyKey, fc.constant('')), anyKey, (a, b) => {
        fc.pre(compare(a, b) !== 0)
        const [low, high] = compare(a, b) < 0 ? [a, b] : [b, a]
        const key = splitKey(low, high)
        if (key === undefined) return
        expect(compare(low, key)).toBeLessThan(0)
        expect(compare(key, high)).toBeLessThan(0)
      }),
      { numRuns: 2000 },
    )
  })

  it('a split key exists between distant keys', () => {
    expect(splitKey('801-10000', '801-90000')).toBe('801-5')
    expect(splitKey('', '802-99999')).toBeDefined()
    expect(splitKey('801-1', '801-10')).toBeUndefined()
  })
})

describe('a walk', () => {
  it('a walk commits every key once for any keys, workers, page sizes and response orders', async () => {
    await fc.assert(
      fc.asyncProperty(
        keySets,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 7 }),
        fc.infiniteStream(fc.nat(3)),
        fc.boolean(),
        async (keys, concurrency, limit, delays, totals) => {
          const world = inMemory(keys, limit, delays, totals)
          await walk(world.steps, { ...world.options, concurrency })
          expect(world.committed.toSorted(compare)).toEqual(keys.toSorted(compare))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('a walk resumes from its ranges after a crash at any point and still commits every key once', async () => {
    await fc.assert(
      fc.asyncProperty(
        keySets,
        fc.integer({ min: 1, max: 9 }),
        fc.infiniteStream(fc.nat(3)),
        fc.array(fc.nat(20), { maxLength: 5 }),
        async (keys, concurrency, delays, deaths) => {
          const world = inMemory(keys, 4, delays, true)
          for (const after of deaths) {
            world.dieAfter(after)
            await walk(world.steps, { ...world.options, concurrency, ranges: world.remaining() }).catch(() => undefined)
          }
          world.dieAfter(Number.POSITIVE_INFINITY)
          await walk(world.steps, { ...world.options, concurrency, ranges: world.remaining() })
          expect(world.committed.toSorted(compare)).toEqual(keys.toSorted(compare))
        },
      ),
      { numRuns: 300 },
    )
  })

  it.each([
    [8, 20_000, 0.1],
    [16, 100_000, 0.04],
  ])('a walk by %i workers over %i keys sends few more requests than pages, and takes little more than its share of rounds', async (concurrency, count, extra) => {
    const keys = Array.from({ length: count }, (_, index) => `80${(index % 9) % 2 ? 1 : 2}-${1000 + index * 7}`)
    const world = inMemory(keys, 50, undefined, true)
    await walk(world.steps, { ...world.options, concurrency })
    expect(world.requests() / (count / 50) - 1).toBeLessThan(extra)
    expect(world.rounds()).toBeLessThan((count / 50 / concurrency) * 1.25)
  })
})

describe('ordersKept', () => {
  it('ordersKept returns no order for repeated or ascending keys', () => {
    expect(ordersKept(['b', 'a', 'a'])).toEqual([])
    expect(ordersKept(['b', 'c', 'a'])).toEqual([])
  })

  it('ordersKept distinguishes numeric order from byte order', () => {
    const names = (keys: string[]) => ordersKept(keys).map(({ name }) => name)
    expect(names(['801-9999', '801-10000'])).toContain('bytes')
    expect(names(['801-10000', '801-9999'])).not.toContain('bytes')
    expect(names(['801-10000', '801-9999'])).toContain('numbers by value')
  })
})

/** An in-memory host and store. In one round, every waiting request receives its response. */
function inMemory(keys: string[], limit: number, delays: Iterator<number> | undefined, totals: boolean) {
  const descending = keys.toSorted(compare).reverse()
  const committed: string[] = []
  const stored = new Map<number, Pick<WalkRange, 'floor' | 'below' | 'closed'>>([
    [0, { floor: null, below: null, closed: false }],
  ])
  let lifetime = Number.POSITIVE_INFINITY
  let requests = 0
  let rounds = 0
  let round: Promise<void> | undefined
  const nextRound = () => {
    round ??= new Promise<void>((done) =>
      setImmediate(() => {
        round = undefined
        rounds += 1
        done()
      }),
    )
    return round
  }
  const live = () => {
    lifetime -= 1
    if (lifetime < 0) throw new Error('killed')
  }
  const steps: WalkSteps<Keyed> = {
    async fetch(below) {
      requests += 1
      if (delays) for (let wait = delays.next().value as number; wait > 0; wait -= 1) await nextRound()
      else await nextRound()
      const from = below === null ? 0 : firstBelow(descending, below)
      const records = descending.slice(from, from + limit).map((key) => ({ key }))
      return { records, total: totals ? descending.length - from : undefined }
    },
    async commit(range, pages) {
      for (const { page, below, closed } of pages) {
        live()
        committed.push(...page.records.map(({ key }) => key as string))
        stored.set(range.number, { floor: range.floor, below, closed })
        Object.assign(range, { below, closed })
      }
    },
    async split(range, key) {
      live()
      const number = stored.size
      const stolen = openRange({ walkId: 1, number, floor: range.floor, below: key, revision: 0 })
      stored.set(number, { floor: range.floor, below: key, closed: false })
      stored.set(range.number, { floor: key, below: range.below, closed: false })
      range.floor = key
      return stolen
    },
    restartWalk: () => Promise.reject(new Error('the order is that of bytes')),
    markIncomplete: () => Promise.reject(new Error('the walk must be complete')),
  }
  const remaining = () =>
    [...stored].flatMap(([number, range]) =>
      range.closed ? [] : [openRange({ walkId: 1, number, revision: 0, ...range })],
    )
  return {
    steps,
    committed,
    remaining,
    requests: () => requests,
    rounds: () => rounds,
    dieAfter: (steps: number) => {
      lifetime = steps
    },
    options: { limit, ranges: remaining(), sequential: false, knownKeys: [], signal: new AbortController().signal },
  }
}

function firstBelow(descending: string[], below: string): number {
  let [low, high] = [0, descending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(descending[middle] as string, below) < 0) high = middle
    else low = middle + 1
  }
  return low
}
