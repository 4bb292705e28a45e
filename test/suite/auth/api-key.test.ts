import { describe, expect, it } from 'vitest'
import { generateApiKey, isApiKey } from '../../../src/auth/api-key.ts'

describe('an API key', () => {
  it('generates unique API keys in a fixed format', () => {
    const keys = Array.from({ length: 2_000 }, generateApiKey)
    for (const key of keys) expect(key).toMatch(/^thk_[0-9A-Za-z]{28}$/)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys.every(isApiKey)).toBe(true)
  })

  it('rejects an API key with a typing error without a database query', () => {
    const key = generateApiKey()
    const swapped = key.slice(0, 10) + (key[10] === 'a' ? 'b' : 'a') + key.slice(11)
    for (const wrong of [swapped, key.slice(1), `${key}0`, key.toLowerCase(), '', 'thk_', 'false'])
      expect(isApiKey(wrong)).toBe(false)
  })
})
