import { AppError } from '../../lib/errors.ts'
import { MAX_INTEGER } from '../../lib/storable-text.ts'

/** For an option or a positional: a whole number within PostgreSQL's integers. yargs by itself reads `abc` as NaN and lets it pass. */
export function wholeNumber(name: string, least = 1, most = MAX_INTEGER) {
  const coerce = (given: number): number => {
    if (Number.isInteger(given) && given >= least && given <= most) return given
    throw new AppError('invalid_request', `${name} takes a whole number from ${least} to ${most}.`)
  }
  return { type: 'number', coerce } as const
}
