import type { SecureContext } from 'node:tls'
import { createSecureContext } from 'node:tls'
import { generate } from 'selfsigned'

/** The demo web's certificate authority. It is generated at startup, and its private key is never written to disk. */
export interface DemoAuthority {
  /** The authority's certificate in PEM format, which clients must trust. */
  certificate: string
  /** Issues a certificate for a domain and its `www.` host. */
  certify(domain: string, validity?: Validity): Promise<SecureContext>
}

export interface Validity {
  from: Date
  to: Date
}

const DAY = 86_400_000
const EC = { keyType: 'ec', algorithm: 'sha256' } as const

/** Creates an authority that is valid for one year, starting yesterday. */
export async function createAuthority(): Promise<DemoAuthority> {
  const year = { from: new Date(Date.now() - DAY), to: new Date(Date.now() + 365 * DAY) }
  const root = await generate([{ name: 'commonName', value: 'Demo web (invented)' }], {
    ...EC,
    notBeforeDate: year.from,
    notAfterDate: year.to,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  })
  return {
    certificate: root.cert,
    async certify(domain, { from, to } = year) {
      const leaf = await generate([{ name: 'commonName', value: domain }], {
        ...EC,
        notBeforeDate: from,
        notAfterDate: to,
        ca: { key: root.private, cert: root.cert },
        extensions: [
          { name: 'basicConstraints', cA: false },
          { name: 'extKeyUsage', serverAuth: true },
          {
            name: 'subjectAltName',
            altNames: [
              { type: 2, value: domain },
              { type: 2, value: `www.${domain}` },
            ],
          },
        ],
      })
      return createSecureContext({ key: leaf.private, cert: leaf.cert })
    },
  }
}

/** A validity period that ended a month ago. */
export const expired = (): Validity => ({ from: new Date(Date.now() - 400 * DAY), to: new Date(Date.now() - 30 * DAY) })
