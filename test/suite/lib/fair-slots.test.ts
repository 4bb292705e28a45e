import { expect, it } from 'vitest'
import { FairSlots } from '../../../src/lib/fair-slots.ts'

/** Requests a slot for each name concurrently. `order` lists the granted slots, and `free` releases the oldest. */
function acquireAll(slots: FairSlots, users: readonly string[]) {
  const order: string[] = []
  const held: Disposable[] = []
  for (const user of users)
    void slots.acquire(user).then((slot) => {
      order.push(user)
      held.push(slot)
    })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const free = async () => {
    held.shift()?.[Symbol.dispose]()
    await settle()
  }
  return { order, free, settle }
}

it('limits the slots of each user', async () => {
  const slots = new FairSlots({ perUser: 2 })
  const { order, free, settle } = acquireAll(slots, ['a', 'a', 'a', 'b'])
  await settle()
  expect(order).toEqual(['a', 'a', 'b'])
  expect(slots.waiting('a')).toBe(1)
  await free()
  expect(order).toEqual(['a', 'a', 'b', 'a'])
  expect(slots.waiting('a')).toBe(0)
})

it('lets users take turns for the shared slots, regardless of the number of calls that each user queues', async () => {
  const slots = new FairSlots({ perUser: 1, total: 1 })
  const { order, free, settle } = acquireAll(slots, ['a', 'a', 'a', 'a', 'b', 'c', 'b'])
  await settle()
  for (let turn = 0; turn < 7; turn += 1) await free()
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a'])
})

it('a slot can be released only once', async () => {
  const slots = new FairSlots({ perUser: 1 })
  const first = await slots.acquire('a')
  first[Symbol.dispose]()
  first[Symbol.dispose]()
  await slots.acquire('a')
  const { order, settle } = acquireAll(slots, ['a'])
  await settle()
  expect(order).toEqual([])
})
