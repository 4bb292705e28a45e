import { describe, expect, it } from 'vitest'
import { generateApiKey, isApiKey } from '../../../src/auth/api-key.ts'

describe('an API key', () => {
  it('has a fixed format and is unique', () => {
    const keys = Array.from({ length: 2_000 }, generateApiKey)
    for (const key of keys) expect(key).toMatch(/^thk_[0-9A-Za-z]{28}$/)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys.every(isApiKey)).toBe(true)
  })

  it('is rejected without a database query if it contains a typing error', () => {
    const key = generateApiKey()
    const swapped = key.slice(0, 10) + (key[10] === 'a' ? 'b' : 'a') + key.slice(11)
    for (const wrong of [swapped, key.slice(1), `${key}0`, key.toLowerCase(), '', 'thk_', 'false'])
      expect(isApiKey(wrong)).toBe(false)
  })
})
