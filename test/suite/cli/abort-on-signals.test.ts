import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { abortOnSignals } from '../../../src/cli/support/abort-on-signals.ts'

class FakeProcess extends EventEmitter {
  readonly codes: number[] = []
  exit(code: number): void {
    this.codes.push(code)
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('treats a Ctrl-C from the terminal and its copy from the parent as one signal', () => {
  const process = new FakeProcess()
  const signal = abortOnSignals(process)
  process.emit('SIGINT')
  process.emit('SIGINT')
  expect(signal.reason).toMatchObject({ code: 'interrupted' })
  expect(process.codes).toEqual([])
})

it('exits immediately on a second, later signal', () => {
  const process = new FakeProcess()
  abortOnSignals(process)
  process.emit('SIGTERM')
  vi.advanceTimersByTime(1_000)
  process.emit('SIGINT')
  expect(process.codes).toEqual([130])
})
