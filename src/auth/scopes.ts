import { AppError } from '../lib/errors.ts'

declare module '../lib/errors.ts' {
  interface ErrorCodes {
    missing_scope: true
  }
}

/**
 * A key's permissions: read records, spend units, use the target account list, manage webhooks, read the warehouse,
 * operate the service.
 */
export const SCOPES = ['read', 'enrich', 'lists', 'webhooks', 'warehouse', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/**
 * The default scopes of a customer's key. `warehouse` and `admin` affect the whole installation and must be granted
 * explicitly.
 */
export const DEFAULT_SCOPES: readonly Scope[] = ['read', 'enrich', 'lists', 'webhooks']

/** Throws `missing_scope`, with the scope's name, if the key does not have it. */
export function requireScope({ scopes }: { scopes: readonly Scope[] }, scope: Scope): void {
  if (!scopes.includes(scope))
    throw new AppError('missing_scope', `This API key lacks the scope \`${scope}\`. Use a key that has it.`)
}
