import type { Scope } from '../contract/scopes.ts'
import { AppError } from '../lib/errors.ts'

declare module '../lib/errors.ts' {
  interface ErrorCodes {
    missing_scope: true
  }
}

/**
 * The default scopes of a customer's key. `warehouse`, `admin` and `clients` affect the whole installation and must be
 * granted explicitly.
 */
export const DEFAULT_SCOPES: readonly Scope[] = ['read', 'contacts', 'enrich', 'lists', 'webhooks']

/** Throws `missing_scope`, with the scope's name, if the key does not have the scope. */
export function requireScope({ scopes }: { scopes: readonly Scope[] }, scope: Scope): void {
  if (!scopes.includes(scope))
    throw new AppError('missing_scope', `This API key lacks the scope \`${scope}\`. Use a key with this scope.`)
}
