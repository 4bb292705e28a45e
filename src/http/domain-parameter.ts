import { Type } from 'typebox'
import { normalizeDomain } from '../companies/normalize-domain.ts'
import { AppError } from '../lib/errors.ts'

/** `{domain}` of a path: spelt as people paste it. */
export const DomainParameter = Type.Object({
  domain: Type.String({
    description: 'A domain such as acme.com; www. and upper case are understood',
    examples: ['acme.example'],
  }),
})

/** The registrable domain that a path or a query names. In a path, what is no domain is a request that does not parse. */
export function domainParameter(input: string): string {
  try {
    return normalizeDomain(input)
  } catch (error) {
    if (error instanceof AppError) throw new AppError('invalid_request', error.message, { cause: error })
    throw error
  }
}
