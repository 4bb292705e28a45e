/**
 * A key's permissions: read records, see contact data of people, spend units, use the target account list, manage
 * webhooks, read the warehouse, operate the service.
 */
export const SCOPES = ['read', 'contacts', 'enrich', 'lists', 'webhooks', 'warehouse', 'admin'] as const
export type Scope = (typeof SCOPES)[number]
