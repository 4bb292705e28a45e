import { describe, expect, it, vi } from 'vitest'
import { onFirstUse } from '../../../src/lib/on-first-use.ts'

describe('onFirstUse', () => {
  it('creates the value on the first call, and returns it on every call', () => {
    const create = vi.fn(() => ({}))
    const get = onFirstUse(create)
    expect(create).not.toHaveBeenCalled()
    expect(get()).toBe(get())
    expect(create).toHaveBeenCalledOnce()
  })

  it('creates an undefined value only once', () => {
    const create = vi.fn(() => undefined)
    const get = onFirstUse(create)
    get()
    get()
    expect(create).toHaveBeenCalledOnce()
  })
})
