import { domainToASCII } from 'node:url'
import { parse } from 'tldts'
import { AppError } from '../lib/errors.ts'

/** Special-use names (RFC 6761, 6762, 7686), which are never public sites even if they resolve. */
const SPECIAL_USE = /(^|\.)(localhost|local|invalid|onion|arpa|internal|alt)$/
/**
 * Names reserved for documentation and tests (RFC 2606). These names are accepted, although the public suffix list does
 * not contain them.
 */
const RESERVED = new Set(['example', 'test'])
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/**
 * Returns the registrable domain (lower case, punycode) of a URL, hostname, email address or internationalized domain
 * name: `https://WWW.Acme.co.uk/about` -> `acme.co.uk`. Throws `unprocessable` with the reason for IP addresses, public
 * suffixes and text without a domain. Accepts names under `.example`.
 */
export function normalizeDomain(input: string): string {
  const refuse = (why: string): AppError => new AppError('unprocessable', `${quote(input)} ${why}`)
  const host = hostOf(input.trim())
  if (host === '') throw refuse('is not a domain; send one such as acme.com')
  const parsed = parse(host, { allowPrivateDomains: true, detectIp: true })
  if (parsed.isIp || /^\[/.test(host)) throw refuse('is an IP address; send the company domain')
  const ascii = domainToASCII(host.replace(/\.$/, ''))
  if (ascii === '' || ascii.length > 253 || !ascii.split('.').every((label) => LABEL.test(label)))
    throw refuse('is not a domain; send one such as acme.com')
  if (/^[\d.]+$/.test(ascii)) throw refuse('is an IP address; send the company domain')
  if (SPECIAL_USE.test(ascii)) throw refuse('is not a public domain')
  const { domain, publicSuffix, isIcann, isPrivate } = parse(ascii, { allowPrivateDomains: true })
  if (!isIcann && !isPrivate && !RESERVED.has(publicSuffix ?? ''))
    throw refuse(
      ascii.includes('.')
        ? `ends in .${publicSuffix}, which is not a top-level domain`
        : 'is not a domain; send one such as acme.com',
    )
  if (!domain?.match(/^[a-z0-9.-]+$/)) {
    throw refuse(
      publicSuffix === ascii && ascii.includes('.')
        ? `is a public suffix; send the company's own domain, such as acme.${ascii}`
        : 'has no registrable domain; send one such as acme.com',
    )
  }
  return domain
}

/**
 * Normalizes domains and removes duplicates, keeping the given order. Also returns the rejected inputs with their
 * reasons.
 */
export function normalizeDomains(inputs: readonly string[]): {
  domains: string[]
  rejected: { input: string; reason: string }[]
} {
  const domains = new Set<string>()
  const rejected: { input: string; reason: string }[] = []
  for (const input of inputs) {
    try {
      domains.add(normalizeDomain(input))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      rejected.push({ input, reason: error.message })
    }
  }
  return { domains: [...domains], rejected }
}

/** Strips the scheme, user, port, path and local part, and returns the host in lower case. */
function hostOf(text: string): string {
  const afterScheme = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/^(mailto:|\/\/)/i, '')
  const authority = /^[^/?#\\]*/.exec(afterScheme)?.[0] ?? ''
  const afterUser = authority.slice(authority.lastIndexOf('@') + 1)
  return afterUser.replace(/:\d*$/, '').toLowerCase()
}

function quote(input: string): string {
  return JSON.stringify(input.length > 100 ? `${input.slice(0, 100)}...` : input)
}
