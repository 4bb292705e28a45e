import { expect, it } from 'vitest'
import { SharedPoll } from '../../../src/lib/shared-poll.ts'
import { eventually } from '../../helpers/eventually.ts'

it('a shared poll queries once for all readers, yields only changes, and stops without readers', async () => {
  let reads = 0
  let value = 'first'
  const poll = new SharedPoll(
    async () => {
      reads += 1
      return value
    },
    { everyMs: 1, repeatAfter: Number.POSITIVE_INFINITY },
  )
  const leave = new AbortController()
  const seen: string[][] = [[], []]
  const readers = seen.map(async (values) => {
    for await (const one of poll.watch(leave.signal)) values.push(one)
  })
  await eventually('both readers have the value', async () => seen.every((values) => values.length === 1))
  const before = reads
  await eventually('it is read again', async () => reads > before + 3)
  value = 'second'
  await eventually('both readers have the change', async () => seen.every((values) => values.length === 2))
  expect(seen).toEqual([
    ['first', 'second'],
    ['first', 'second'],
  ])
  leave.abort()
  await Promise.all(readers)
  expect(poll.isIdle).toBe(true)
})

it('a shared poll throws an error to its readers, and polls again for the next reader', async () => {
  let isDown = true
  const poll = new SharedPoll(async () => {
    if (isDown) throw new Error('down')
    return 'up'
  })
  const { signal } = new AbortController()
  await expect(poll.watch(signal).next()).rejects.toThrow('down')
  isDown = false
  const reader = poll.watch(signal)
  expect(await reader.next()).toEqual({ done: false, value: 'up' })
  await reader.return(undefined)
})
