import { AppError } from '../lib/errors.ts'

/**
 * Parses comma-separated field groups (`leadership,signals`, `all`). Throws `invalid_request` for an unknown group,
 * with a list of the valid groups.
 */
export function parseInclude<Group extends string>(text: string | undefined, known: readonly Group[]): Set<Group> {
  const names = (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const unknown = names.find((name) => name !== 'all' && !known.includes(name as Group))
  if (unknown !== undefined)
    throw new AppError(
      'invalid_request',
      `include does not accept ${JSON.stringify(unknown)}; use ${known.join(', ')} or all.`,
    )
  return new Set(names.includes('all') ? known : (names as Group[]))
}
