import { AppError } from '../lib/errors.ts'

/** Reads a list of field groups, by comma: `leadership,signals`, `all`. Throws `invalid_request` with the groups there are. */
export function parseInclude<Group extends string>(text: string | undefined, known: readonly Group[]): Set<Group> {
  const names = (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const unknown = names.find((name) => name !== 'all' && !known.includes(name as Group))
  if (unknown !== undefined)
    throw new AppError(
      'invalid_request',
      `include knows no ${JSON.stringify(unknown)}; it takes ${known.join(', ')} and all.`,
    )
  return new Set(names.includes('all') ? known : (names as Group[]))
}
