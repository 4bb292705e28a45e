import { sql } from 'kysely'
import type { QuoteRequest, SubmissionReply } from '../contract/enrichment.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { pluralize } from '../lib/pluralize.ts'
import { isUuid } from '../lib/uuid.ts'

/** Retention of purchased and expired quotes, during which a repeated purchase returns the original response. */
const RETENTION = sql`interval '24 hours'`
const IS_EXPIRED = sql<boolean>`expires_at <= now()`.as('is_expired')

/** A quote and, after its purchase, the response to the purchase. */
export interface StoredQuote {
  quoteId: string
  request: QuoteRequest
  /** The price, which the purchase must not exceed. */
  units: number
  createdAt: string
  expiresAt: string
  isExpired: boolean
  response: SubmissionReply | null
}

/** Reads one of the client's quotes. Throws `not_found` for an unknown quote or a quote of another client. */
export async function readQuote(db: Db, clientId: string, quoteId: string): Promise<StoredQuote> {
  const row = isUuid(quoteId)
    ? await db
        .selectFrom('quote')
        .select(['request', 'units', 'created_at', 'expires_at', 'response', IS_EXPIRED])
        .where('client_id', '=', clientId)
        .where('quote_id', '=', quoteId)
        .executeTakeFirst()
    : undefined
  if (!row) throw new AppError('not_found', `Quote ${quoteId} not found. Quotes are kept for 24 hours.`)
  return {
    quoteId,
    request: row.request as QuoteRequest,
    units: row.units,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    isExpired: row.is_expired,
    response: row.response as SubmissionReply | null,
  }
}

/**
 * Locks the quote for this transaction, or returns the response to its purchase. Waits for a concurrent purchase.
 * Throws `conflict` for an expired quote, and `not_found` for an unknown quote.
 */
export async function claimQuote<Response>(trx: Db, clientId: string, quoteId: string): Promise<Response | undefined> {
  const quote = await trx
    .selectFrom('quote')
    .select(['response', IS_EXPIRED])
    .where('client_id', '=', clientId)
    .where('quote_id', '=', quoteId)
    .forUpdate()
    .executeTakeFirst()
  if (!quote) throw new AppError('not_found', `Quote ${quoteId} not found. Quotes are kept for 24 hours.`)
  if (quote.response !== null) return quote.response as Response
  if (quote.is_expired) throw new AppError('conflict', expiredMessage(quoteId))
  return undefined
}

/** Throws `conflict` if the purchase costs more than the quote. */
export function checkPrice(units: number, quote: Pick<StoredQuote, 'quoteId' | 'units'>): void {
  if (units > quote.units) throw new AppError('conflict', priceMessage(units, quote))
}

export const expiredMessage = (quoteId: string): string => `Quote ${quoteId} has expired. Request a new quote.`

export const priceMessage = (
  units: number,
  { quoteId, units: quoted }: Pick<StoredQuote, 'quoteId' | 'units'>,
): string => `The price is now ${pluralize(units, 'unit')}, but quote ${quoteId} is for ${quoted}. Request a new quote.`

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
