import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { inTransaction } from '../db/in-transaction.ts'
import { AppError } from '../lib/errors.ts'

/** The author of a change: a client's API key, or the operating system user who ran the command. */
export interface Actor {
  /** `client:acme` or `user:ops`. */
  name: string
  keyId: string | null
  /** The request's IP address, or the name of the host that runs the command. */
  address: string | null
}

/** An audited change. Actions have names such as `list.add` and `key.revoke`. The target must not identify a person. */
export interface AuditedChange<Result = unknown> {
  action: string
  target: string
  /** Null for a repeated request, which is not recorded again. */
  details?: (result: Result) => object | null
}

export interface AuditEntry {
  entry_id: number
  at: string
  actor: string
  key_id: string | null
  address: string | null
  action: string
  target: string
  result: string
  details: object
}

/**
 * Makes a change and writes its audit entry in one transaction. If the change is rejected, writes an entry with the
 * error code.
 */
export async function audited<Result>(
  db: Db,
  actor: Actor,
  change: AuditedChange<Result>,
  work: (trx: Db) => Promise<Result>,
): Promise<Result> {
  try {
    return await inTransaction(db, async (trx) => {
      const result = await work(trx)
      const details = change.details?.(result)
      if (details !== null) await recordAudit(trx, actor, { ...change, details })
      return result
    })
  } catch (error) {
    if (error instanceof AppError) await recordAudit(db, actor, { ...change, details: {}, result: error.code })
    throw error
  }
}

/** Writes an entry in the caller's transaction. */
export async function recordAudit(
  trx: Db,
  { name, keyId, address }: Actor,
  {
    action,
    target,
    details = {},
    result = 'ok',
  }: { action: string; target: string; details?: object | undefined; result?: string },
): Promise<void> {
  await trx
    .insertInto('audit_entry')
    .values({ actor: name, key_id: keyId, address, action, target, result, details: JSON.stringify(details) })
    .execute()
}

export interface AuditQuery {
  /** Includes only entries after this time, ISO 8601. */
  since?: string | undefined
  /** Includes only entries with a smaller ID. */
  before?: number | undefined
  actor?: string | undefined
  /** A full action, such as `list.add`, or the part before the dot, such as `list`. */
  action?: string | undefined
  limit: number
}

/** Entries of the audit log, newest first. */
export async function listAudit(db: Db, { since, before, actor, action, limit }: AuditQuery): Promise<AuditEntry[]> {
  return await db
    .selectFrom('audit_entry')
    .selectAll()
    .$if(since !== undefined, (query) => query.where('at', '>=', since as string))
    .$if(before !== undefined, (query) => query.where('entry_id', '<', before as number))
    .$if(actor !== undefined, (query) => query.where('actor', '=', actor as string))
    .$if(action !== undefined, (query) =>
      query.where(sql<boolean>`(action = ${action} or split_part(action, '.', 1) = ${action})`),
    )
    .orderBy('entry_id', 'desc')
    .limit(limit)
    .execute()
}

/** Deletes entries older than the retention period set by the database owner. Returns the number of deleted entries. */
export async function pruneAudit(db: Db): Promise<number> {
  const { rows } = await sql<{ pruned: number }>`select prune_audit() as pruned`.execute(db)
  return Number(rows[0]?.pruned ?? 0)
}
