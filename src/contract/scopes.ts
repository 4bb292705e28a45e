/**
 * A key's permissions: read records, see contact data of people, spend units, use the target account list, manage
 * webhooks, read the warehouse, operate the service, manage all clients.
 */
export const SCOPES = ['read', 'contacts', 'enrich', 'lists', 'webhooks', 'warehouse', 'admin', 'clients'] as const
export type Scope = (typeof SCOPES)[number]
