import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { isUsable, selectCallers } from './api-keys.ts'
import type { Caller } from './caller.ts'
import { trialExpired } from './caller.ts'

declare module '../lib/errors.ts' {
  interface ErrorCodes {
    cross_site: true
  }
}

/** Lifetime of a session. A session ends earlier if its key is revoked or expires. */
export const SESSION_DAYS = 14
const LINK_MINUTES = 30
const USER_AGENT_LENGTH = 300

/** A session without its token. */
export interface Session {
  session_id: string
  key_id: string
  key_label: string
  address: string | null
  user_agent: string | null
  created_at: string
  last_seen_at: string
  expires_at: string
}

/** The IP address and user agent from which a user signs in. */
export interface Visitor {
  address: string | null
  userAgent: string | null
}

const newToken = (): string => randomBytes(32).toString('base64url')
const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Creates the secret of a one-time link, valid for 30 minutes, that signs the user in with this key. */
export async function createSignInLink(db: Db, keyId: string): Promise<string> {
  const token = newToken()
  await sql`
    insert into sign_in_link (token_hash, key_id, expires_at)
    values (${hashToken(token)}, ${keyId}, now() + make_interval(mins => ${LINK_MINUTES}))`.execute(db)
  return token
}

/**
 * Consumes a link and returns its key. Throws `unauthenticated` if the link is unknown, has been used or has expired.
 */
export async function redeemSignInLink(db: Db, token: string): Promise<string> {
  const { rows } = await sql<{ key_id: string }>`
    delete from sign_in_link where token_hash = ${hashToken(token)} and expires_at > now() returning key_id`.execute(db)
  if (rows[0]) return rows[0].key_id
  throw new AppError(
    'unauthenticated',
    'This sign-in link was used or has expired. Print a new one with `talhouse console`, or paste an API key.',
  )
}

/** Starts a session for a key. The token is returned only here, because the database stores only its hash. */
export async function createSession(
  db: Db,
  keyId: string,
  { address, userAgent }: Visitor,
): Promise<{ token: string; sessionId: string }> {
  const token = newToken()
  const { rows } = await sql<{ session_id: string }>`
    insert into session (token_hash, key_id, address, user_agent, expires_at)
    values (${hashToken(token)}, ${keyId}, ${address}, ${userAgent?.slice(0, USER_AGENT_LENGTH) ?? null},
      now() + make_interval(days => ${SESSION_DAYS}))
    returning session_id`.execute(db)
  return { token, sessionId: (rows[0] as { session_id: string }).session_id }
}

/**
 * Returns the caller of a session. The result is not cached, so that revoking a key ends its sessions immediately.
 * Throws `unauthenticated` if the session has ended, and `trial_expired` if the client's trial has ended.
 */
export async function authenticateSession(db: Db, token: string): Promise<Caller> {
  const found = await selectCallers(db)
    .innerJoin('session', 'session.key_id', 'api_key.key_id')
    .where(isUsable)
    .where('session.token_hash', '=', hashToken(token))
    .where('session.expires_at', '>', sql<string>`now()`)
    .select(['session.session_id as sessionId'])
    .select(sql<boolean>`session.last_seen_at < now() - interval '1 minute'`.as('isIdle'))
    .executeTakeFirst()
  if (!found) throw new AppError('unauthenticated', 'The session has ended. Sign in again.')
  const { trialEndsInMs, isIdle, ...caller } = found
  if (trialEndsInMs !== null && trialEndsInMs <= 0) throw trialExpired(caller)
  if (isIdle)
    await db
      .updateTable('session')
      .set({ last_seen_at: sql<string>`now()` })
      .where('session_id', '=', caller.sessionId)
      .execute()
  return caller
}

/** Returns the caller for a new session of this key. Throws `unauthenticated` if the key is revoked or expired. */
export async function findCallerOfKey(db: Db, keyId: string): Promise<Caller> {
  const found = await selectCallers(db).where(isUsable).where('api_key.key_id', '=', keyId).executeTakeFirst()
  if (!found)
    throw new AppError('unauthenticated', 'The API key of this link was revoked or has expired. Use another key.')
  const { trialEndsInMs: _, ...caller } = found
  return caller
}

/**
 * Lists current sessions, newest first: the sessions of the caller's key or, if the caller has the `admin` scope, of
 * all the client's keys.
 */
export async function listSessions(db: Db, caller: Caller): Promise<Session[]> {
  return await visibleSessions(db, caller)
    .select([
      'session_id',
      'session.key_id',
      'api_key.label as key_label',
      'address',
      'user_agent',
      'session.created_at',
      'last_seen_at',
      'session.expires_at',
    ])
    .orderBy('session.created_at', 'desc')
    .limit(200)
    .execute()
}

/** Ends a session. Throws `not_found` if the caller may not list the session. */
export async function endSession(db: Db, caller: Caller, sessionId: string): Promise<void> {
  const ended = await db
    .deleteFrom('session')
    .where(
      'session_id',
      'in',
      visibleSessions(db, caller).select('session_id').where(sql`session_id::text`, '=', sessionId),
    )
    .executeTakeFirst()
  if (ended.numDeletedRows === 0n) throw new AppError('not_found', 'Session not found. It may have ended already.')
}

const visibleSessions = (db: Db, { keyId, clientId, scopes }: Caller) =>
  db
    .selectFrom('session')
    .innerJoin('api_key', 'api_key.key_id', 'session.key_id')
    .where('session.expires_at', '>', sql<string>`now()`)
    .where(isUsable)
    .where('api_key.client_id', '=', clientId)
    .$if(!scopes.includes('admin'), (query) => query.where('session.key_id', '=', keyId))

/** Deletes expired sessions and links. */
export async function pruneSessions(db: Db): Promise<void> {
  await sql`delete from session where expires_at < now()`.execute(db)
  await sql`delete from sign_in_link where expires_at < now()`.execute(db)
}
