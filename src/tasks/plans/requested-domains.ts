import { normalizeDomains } from '../../companies/normalize-domain.ts'
import { AppError } from '../../lib/errors.ts'

/**
 * Returns the domains in a request, without duplicates. Throws `unprocessable`, listing all invalid domains, because a
 * request is accepted either in full or not at all.
 */
export function requestedDomains(inputs: readonly string[]): string[] {
  const { domains, rejected } = normalizeDomains(inputs)
  if (rejected.length === 0) return domains
  const issues = rejected.map(({ input, reason }) => ({
    path: `/domains/${inputs.indexOf(input)}`,
    message: reason,
  }))
  const detail = rejected.length === 1 ? rejected[0]?.reason : `${rejected.length} of the domains are invalid`
  throw new AppError('unprocessable', `${detail}. Nothing was charged.`, { issues })
}
