import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Quote, QuoteRequest } from '../contract/enrichment.ts'
import type { Db } from '../db/database.ts'
import { inTransaction } from '../db/in-transaction.ts'
import { sum } from '../lib/sum.ts'
import { currentAccount } from '../units/account.ts'
import type { TaskPlan } from './submit.ts'

const VALIDITY = sql`interval '1 hour'`

export interface QuoteInput {
  clientId: string
  keyId: string
  request: QuoteRequest
  /** Plans the task that the request would submit. */
  plan: (trx: Db) => Promise<TaskPlan>
}

/**
 * Creates a quote with the current cost of the request. Only the purchase is recorded in the audit log, because a quote
 * does not charge units or create a task.
 */
export async function createQuote(db: Db, { clientId, keyId, request, plan }: QuoteInput): Promise<Quote> {
  const quoteId = randomUUID()
  return await inTransaction(db, async (trx) => {
    const { items, message } = await plan(trx)
    const units = sum(items.map(({ cost }) => cost))
    const account = await currentAccount(trx, clientId)
    const { expires_at } = await trx
      .insertInto('quote')
      .values({
        client_id: clientId,
        quote_id: quoteId,
        key_id: keyId,
        request: JSON.stringify(request),
        units,
        expires_at: sql<string>`now() + ${VALIDITY}`,
      })
      .returning('expires_at')
      .executeTakeFirstOrThrow()
    return {
      quote_id: quoteId,
      expires_at,
      units_required: units,
      units_remaining: account.balance,
      is_covered: account.overage_allowed || units <= account.balance,
      overage_allowed: account.overage_allowed,
      message,
    }
  })
}
