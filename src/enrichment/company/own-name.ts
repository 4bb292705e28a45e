import { foldAccents } from '../../lib/fold-accents.ts'

/** Reduces a name to lower-case letters and digits, for comparison with a domain. */
export const squeeze = (text: string): string =>
  foldAccents(text)
    .toLowerCase()
    .replace(/&/g, 'and')
    .replace(/[^\p{Letter}\p{Number}]/gu, '')

/** Returns the name part of a domain: `acmecapital` for `acme-capital.com`. */
export const labelOf = (domain: string): string => squeeze(domain.split('.')[0] ?? '')
