import 'reflect-metadata' // required by @peculiar/x509
import type { webcrypto } from 'node:crypto'
import { KeyObject } from 'node:crypto'
import type { SecureContext } from 'node:tls'
import { createSecureContext } from 'node:tls'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

/**
 * The demo web's certificate authority. The authority is generated at startup, and its private key is never written to
 * disk.
 */
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
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const

/** Creates an authority that is valid for one year, starting yesterday. */
export async function createAuthority(): Promise<DemoAuthority> {
  const year = { from: new Date(Date.now() - DAY), to: new Date(Date.now() + 365 * DAY) }
  const keys = await createKeys()
  const root = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Demo web (invented)',
    notBefore: year.from,
    notAfter: year.to,
    keys,
    signingAlgorithm: SIGNATURE,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  })
  return {
    certificate: root.toString('pem'),
    async certify(domain, { from, to } = year) {
      const { publicKey, privateKey } = await createKeys()
      const leaf = await X509CertificateGenerator.create({
        subject: `CN=${domain}`,
        issuer: root.subject,
        notBefore: from,
        notAfter: to,
        publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: SIGNATURE,
        extensions: [
          new BasicConstraintsExtension(false),
          new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
          new SubjectAlternativeNameExtension([domain, `www.${domain}`].map((value) => ({ type: 'dns', value }))),
        ],
      })
      const key = KeyObject.from(privateKey).export({ type: 'pkcs8', format: 'pem' })
      return createSecureContext({ key, cert: leaf.toString('pem') })
    },
  }
}

const createKeys = (): Promise<webcrypto.CryptoKeyPair> => crypto.subtle.generateKey(CURVE, true, ['sign', 'verify'])

/** A validity period that ended a month ago. */
export const expired = (): Validity => ({ from: new Date(Date.now() - 400 * DAY), to: new Date(Date.now() - 30 * DAY) })
