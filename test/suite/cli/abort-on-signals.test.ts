import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { abortOnSignals } from '../../../src/cli/support/abort-on-signals.ts'

class Signalled extends EventEmitter {
  readonly codes: number[] = []
  exit(code: number): void {
    this.codes.push(code)
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('takes a Ctrl-C that arrives twice, from the terminal and from a parent, for one', () => {
  const process = new Signalled()
  const signal = abortOnSignals(process)
  process.emit('SIGINT')
  process.emit('SIGINT')
  expect(signal.reason).toMatchObject({ code: 'interrupted' })
  expect(process.codes).toEqual([])
})

it('ends at once when somebody asks again', () => {
  const process = new Signalled()
  abortOnSignals(process)
  process.emit('SIGTERM')
  vi.advanceTimersByTime(1_000)
  process.emit('SIGINT')
  expect(process.codes).toEqual([130])
})
