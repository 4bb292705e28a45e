import { describe, expect, it } from 'vitest'
import { createRateBudget, memoryStore } from '../../../../pipelines/host/rate-budget.ts'

describe('the rate budget', () => {
  it('the rate budget allows a burst, then one request per interval', async () => {
    const store = memoryStore({ perSecond: 100, burst: 5 })
    const start = performance.now()
    for (let taken = 0; taken < 5; taken += 1) expect((await store.reserve(1)).startsIn).toBeLessThanOrEqual(0)
    const budget = createRateBudget(store)
    for (let taken = 0; taken < 10; taken += 1) await budget.take()
    expect(performance.now() - start).toBeGreaterThan(80)
  })

  it('the rate budget keeps the shared rate for any lease size', async () => {
    const store = memoryStore({ perSecond: 200, burst: 1 })
    const budgets = [createRateBudget(store, 4), createRateBudget(store, 4)]
    const start = performance.now()
    await Promise.all(budgets.flatMap((budget) => Array.from({ length: 20 }, () => budget.take())))
    expect(performance.now() - start).toBeGreaterThan((39 / 200) * 1000 - 20)
  })

  it('the rate budget follows a changed rate', async () => {
    const limits = { perSecond: 1000, burst: 1 }
    const store = memoryStore(limits)
    expect(await store.reserve(1)).toMatchObject({ gap: 1 })
    limits.perSecond = 100
    const [first, second] = [await store.reserve(1), await store.reserve(1)]
    expect(first.gap).toBe(10)
    expect(second.startsIn - first.startsIn).toBeGreaterThan(5)
  })

  it('the rate budget pauses all users when one of them pauses', async () => {
    const store = memoryStore({ perSecond: 1000, burst: 10 })
    const [one, other] = [createRateBudget(store), createRateBudget(store)]
    await one.pause(100)
    const start = performance.now()
    await other.take()
    expect(performance.now() - start).toBeGreaterThan(90)
  })
})
