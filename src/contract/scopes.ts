/**
 * A key's permissions: read records, spend units, use the target account list, manage webhooks, read the warehouse,
 * operate the service.
 */
export const SCOPES = ['read', 'enrich', 'lists', 'webhooks', 'warehouse', 'admin'] as const
export type Scope = (typeof SCOPES)[number]
