import fc from 'fast-check'
import { getPublicSuffix } from 'tldts'
import { describe, expect, it } from 'vitest'
import { normalizeDomain, normalizeDomains } from '../../../src/companies/normalize-domain.ts'
import type { AppError } from '../../../src/lib/errors.ts'

const refusal = (input: string): AppError => {
  try {
    normalizeDomain(input)
  } catch (error) {
    return error as AppError
  }
  throw new Error(`${input} was accepted`)
}

describe('normalizing a domain', () => {
  it.each([
    ['acme.com', 'acme.com'],
    ['https://WWW.Acme.co.uk/about?x=1#y', 'acme.co.uk'],
    ['  Acme.com.  ', 'acme.com'],
    ['//www.acme.com', 'acme.com'],
    ['http://user:password@shop.eu.acme.com:8080/x', 'acme.com'],
    ['info@acme.com', 'acme.com'],
    ['mailto:info@acme.com', 'acme.com'],
    ['acme.com?utm=1', 'acme.com'],
    ['MÜNCHEN.de', 'xn--mnchen-3ya.de'],
    ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
    ['acme。com', 'acme.com'],
    ['acme.github.io', 'acme.github.io'],
    ['www.acme.example', 'acme.example'],
  ])('reads the domain in %j as %s', (input, domain) => {
    expect(normalizeDomain(input)).toBe(domain)
  })

  it.each([
    ['127.0.0.1', 'IP address'],
    ['http://[::1]:80/', 'IP address'],
    ['0x7f.1', 'IP address'],
    ['2130706433', 'IP address'],
    ['１２７.0.0.1', 'IP address'],
    ['co.uk', 'public suffix'],
    ['github.io', 'public suffix'],
    ['com', 'no registrable domain'],
    ['localhost', 'not a public domain'],
    ['acme.local', 'not a public domain'],
    ['acme.cmo', 'not a top-level domain'],
    ['acme', 'not a domain'],
    ['', 'not a domain'],
    ['a..b.com', 'not a domain'],
    ['ac me.com', 'not a domain'],
    ['acme,com', 'not a domain'],
    ['a_b.com', 'no registrable domain'],
    ['javascript:alert(1)', 'not a domain'],
    ['acme.com\u0000', 'not a domain'],
    [`${'a'.repeat(64)}.com`, 'not a domain'],
  ])('refuses %j as a domain, with a reason', (input, why) => {
    expect(refusal(input)).toMatchObject({ code: 'unprocessable' })
    expect(refusal(input).message).toContain(why)
  })

  it('normalizes domains idempotently, regardless of the text pasted around them', () => {
    const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/).filter((text) => !text.startsWith('xn--'))
    const suffix = fc.constantFrom('com', 'co.uk', 'de', 'example', 'com.au')
    const dressed = fc.constantFrom<(domain: string) => string>(
      (domain) => domain,
      (domain) => `https://www.${domain}/`,
      (domain) => domain.toUpperCase(),
      (domain) => `someone@${domain}`,
      (domain) => ` ${domain}. `,
    )
    fc.assert(
      fc.property(label, suffix, dressed, (name, end, dress) => {
        // us.com and co.de are registries, not companies.
        fc.pre(!/^\d+$/.test(name) && getPublicSuffix(`${name}.${end}`, { allowPrivateDomains: true }) === end)
        const domain = normalizeDomain(`${name}.${end}`)
        expect(domain).toBe(`${name}.${end}`)
        expect(normalizeDomain(dress(domain))).toBe(domain)
      }),
    )
  })

  it('returns a domain or a printable error for any input', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.domain(), fc.ipV4(), fc.ipV6()), (text) => {
        try {
          expect(normalizeDomain(text)).toMatch(/^[a-z0-9.-]+\.[a-z0-9-]+$/)
        } catch (error) {
          expect(error).toMatchObject({ code: 'unprocessable' })
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('returns each domain once, and each rejected input with a reason', () => {
    expect(normalizeDomains(['b.com', 'https://a.com', 'B.com', '10.0.0.1'])).toEqual({
      domains: ['b.com', 'a.com'],
      rejected: [{ input: '10.0.0.1', reason: expect.stringContaining('IP address') }],
    })
  })
})
