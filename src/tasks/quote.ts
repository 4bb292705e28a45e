import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Actor } from '../audit/audit-log.ts'
import { audited } from '../audit/audit-log.ts'
import type { Quote, QuoteRequest } from '../contract/enrichment.ts'
import type { Db } from '../db/database.ts'
import { sum } from '../lib/sum.ts'
import { currentAccount } from '../units/account.ts'
import type { TaskPlan } from './submit.ts'

const VALIDITY = sql`interval '1 hour'`

export interface QuoteInput {
  clientId: string
  /** The requesting user, for the audit log. */
  actor: Actor & { keyId: string }
  request: QuoteRequest
  /** Plans the task that the request would submit. */
  plan: (trx: Db) => Promise<TaskPlan>
}

/** Stores what a submission with this plan would cost now. Charges nothing and creates no task. */
export async function createQuote(db: Db, { clientId, actor, request, plan }: QuoteInput): Promise<Quote> {
  const quoteId = randomUUID()
  const details = ({ units_required }: Quote) => ({ units: units_required })
  return await audited(db, actor, { action: 'quote.create', target: quoteId, details }, async (trx) => {
    const { items, message } = await plan(trx)
    const units = sum(items.map(({ cost }) => cost))
    const account = await currentAccount(trx, clientId)
    const { expires_at } = await trx
      .insertInto('quote')
      .values({
        client_id: clientId,
        quote_id: quoteId,
        key_id: actor.keyId,
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
