/**
 * A key's permissions: read records, view people's contact data, spend units, use the target account list, manage
 * webhooks, read the warehouse, operate the service, and manage all clients.
 */
export const SCOPES = ['read', 'contacts', 'enrich', 'lists', 'webhooks', 'warehouse', 'admin', 'clients'] as const
export type Scope = (typeof SCOPES)[number]
