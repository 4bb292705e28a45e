import { Type } from 'typebox'
import { normalizeDomain } from '../companies/normalize-domain.ts'
import { AppError } from '../lib/errors.ts'

/** Schema for the `{domain}` path parameter, which accepts the same spellings as `normalizeDomain`. */
export const DomainParameter = Type.Object({
  domain: Type.String({
    description: 'Company domain, such as acme.com; `www.` and upper case are accepted.',
    examples: ['acme.example'],
  }),
})

/** Returns the registrable domain of a path or query parameter. Throws `invalid_request` for an invalid domain. */
export function domainParameter(input: string): string {
  try {
    return normalizeDomain(input)
  } catch (error) {
    if (error instanceof AppError) throw new AppError('invalid_request', error.message, { cause: error })
    throw error
  }
}
