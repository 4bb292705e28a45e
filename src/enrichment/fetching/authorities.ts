import { readFileSync } from 'node:fs'
import { getCACertificates } from 'node:tls'
import { AppError, messageOf } from '../../lib/errors.ts'

/**
 * Returns the default certificate authorities and the authorities in the PEM files; undefined if no files are given.
 * Throws `configuration` if a file cannot be read or contains no certificate.
 */
export function readAuthorities(files: readonly string[] = []): string[] | undefined {
  if (files.length === 0) return undefined
  return [...getCACertificates('default'), ...files.map(readPem)]
}

function readPem(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new AppError('configuration', `fetching.extra_ca_files: ${messageOf(error)}`, { cause: error })
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new AppError('configuration', `fetching.extra_ca_files: ${file} contains no PEM certificate`)
  return text
}
