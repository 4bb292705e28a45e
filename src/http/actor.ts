import type { FastifyRequest } from 'fastify'
import type { Actor } from '../audit/audit-log.ts'

/** Returns the client that made a request, as recorded in the audit log. */
export const actorOf = ({ caller, ip }: Pick<FastifyRequest, 'caller' | 'ip'>): Actor => ({
  name: `client:${caller.clientId}`,
  keyId: caller.keyId,
  address: ip,
})
