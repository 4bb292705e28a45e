import { sql } from 'kysely'
import type { QuoteRequest } from '../contract/enrichment.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { pluralize } from '../lib/pluralize.ts'
import { isUuid } from '../lib/uuid.ts'

/** Purchased and expired quotes are kept this long, so that a repeated purchase gets the same response. */
const RETENTION = sql`interval '24 hours'`

/** A quote to purchase. */
export interface StoredQuote {
  quoteId: string
  request: QuoteRequest
  /** The price, which the purchase must not exceed. */
  units: number
}

/** One of the client's quotes. Throws `not_found`, including for quotes of other clients. */
export async function readQuote(db: Db, clientId: string, quoteId: string): Promise<StoredQuote> {
  const row = isUuid(quoteId)
    ? await db
        .selectFrom('quote')
        .select(['request', 'units'])
        .where('client_id', '=', clientId)
        .where('quote_id', '=', quoteId)
        .executeTakeFirst()
    : undefined
  if (!row) throw new AppError('not_found', `Quote ${quoteId} not found. Quotes are kept for 24 hours.`)
  return { quoteId, request: row.request as QuoteRequest, units: row.units }
}

/**
 * Locks the quote for this transaction, or returns the response to its purchase. Waits for a concurrent purchase.
 * Throws `conflict` for an expired quote, and `not_found`.
 */
export async function claimQuote<Response>(trx: Db, clientId: string, quoteId: string): Promise<Response | undefined> {
  const quote = await trx
    .selectFrom('quote')
    .select(['response', sql<boolean>`expires_at <= now()`.as('is_expired')])
    .where('client_id', '=', clientId)
    .where('quote_id', '=', quoteId)
    .forUpdate()
    .executeTakeFirst()
  if (!quote) throw new AppError('not_found', `Quote ${quoteId} not found. Quotes are kept for 24 hours.`)
  if (quote.response !== null) return quote.response as Response
  if (quote.is_expired) throw new AppError('conflict', `Quote ${quoteId} has expired. Request a new quote.`)
  return undefined
}

/** Throws `conflict` if the purchase costs more than the quote. */
export function checkPrice(units: number, quote: Pick<StoredQuote, 'quoteId' | 'units'>): void {
  if (units <= quote.units) return
  throw new AppError(
    'conflict',
    `The price is now ${pluralize(units, 'unit')}, but quote ${quote.quoteId} is for ${quote.units}. Request a new quote.`,
  )
}

/** Stores the response to the purchase of the claimed quote. */
export async function storePurchase(trx: Db, clientId: string, quoteId: string, response: object): Promise<void> {
  await trx
    .updateTable('quote')
    .set({ response: JSON.stringify(response) })
    .where('client_id', '=', clientId)
    .where('quote_id', '=', quoteId)
    .execute()
}

/** Deletes quotes older than 24 hours, and returns the count. */
export async function pruneQuotes(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`delete from quote where created_at < now() - ${RETENTION}`.execute(db)
  return Number(numAffectedRows ?? 0)
}
