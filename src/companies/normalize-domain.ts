import { domainToASCII } from 'node:url'
import { parse } from 'tldts'
import { AppError } from '../lib/errors.ts'

/** Names that stand for no site of anybody's, whatever the resolver says (RFC 6761, 6762, 7686). */
const SPECIAL_USE = /(^|\.)(localhost|local|invalid|onion|arpa|internal|alt)$/
/** Not on the public suffix list, and yet for use: documentation, demonstrations, tests (RFC 2606). */
const RESERVED = new Set(['example', 'test'])
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/**
 * The registrable domain (lower case, punycode) of what people paste: a URL, `www.`, upper case, an e-mail address, an
 * international name. `https://WWW.Acme.co.uk/about` -> `acme.co.uk`. Throws `unprocessable` with a message that says what is
 * wrong: an IP address, a public suffix, or no domain at all. Names under `.example` are accepted.
 */
export function normalizeDomain(input: string): string {
  const refuse = (why: string): AppError => new AppError('unprocessable', `${quote(input)} ${why}`)
  const host = hostOf(input.trim())
  if (host === '') throw refuse('is not a domain; send one such as acme.com')
  const parsed = parse(host, { allowPrivateDomains: true, detectIp: true })
  if (parsed.isIp || /^\[/.test(host)) throw refuse('is an IP address; send the domain of the company')
  const ascii = domainToASCII(host.replace(/\.$/, ''))
  if (ascii === '' || ascii.length > 253 || !ascii.split('.').every((label) => LABEL.test(label)))
    throw refuse('is not a domain; send one such as acme.com')
  if (/^[\d.]+$/.test(ascii)) throw refuse('is an IP address; send the domain of the company')
  if (SPECIAL_USE.test(ascii)) throw refuse('is not a domain of the public internet')
  const { domain, publicSuffix, isIcann, isPrivate } = parse(ascii, { allowPrivateDomains: true })
  if (!isIcann && !isPrivate && !RESERVED.has(publicSuffix ?? ''))
    throw refuse(
      ascii.includes('.')
        ? `ends in .${publicSuffix}, which is no top-level domain`
        : 'is not a domain; send one such as acme.com',
    )
  if (!domain?.match(/^[a-z0-9.-]+$/)) {
    throw refuse(
      publicSuffix === ascii && ascii.includes('.')
        ? `is a public suffix, under which others register; send the company's own domain, such as acme.${ascii}`
        : 'has no registrable domain; send one such as acme.com',
    )
  }
  return domain
}

/** What normalises, each once and in the order given, and what does not, with the reason. */
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

/** The host part, in lower case: scheme, user, port, path and an address's local part are cut off. */
function hostOf(text: string): string {
  const afterScheme = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/^(mailto:|\/\/)/i, '')
  const authority = /^[^/?#\\]*/.exec(afterScheme)?.[0] ?? ''
  const afterUser = authority.slice(authority.lastIndexOf('@') + 1)
  return afterUser.replace(/:\d*$/, '').toLowerCase()
}

function quote(input: string): string {
  return JSON.stringify(input.length > 100 ? `${input.slice(0, 100)}...` : input)
}
