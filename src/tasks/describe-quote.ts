import type { QuoteDetails } from '../contract/enrichment.ts'
import type { Db } from '../db/database.ts'
import { inTransaction } from '../db/in-transaction.ts'
import { pluralize } from '../lib/pluralize.ts'
import { sum } from '../lib/sum.ts'
import type { Account } from '../units/account.ts'
import { currentAccount } from '../units/account.ts'
import type { PlannedItem } from './insert-task.ts'
import type { StoredQuote } from './purchase.ts'
import { expiredMessage, priceMessage } from './purchase.ts'
import type { TaskPlan } from './submit.ts'

export interface QuoteReading {
  clientId: string
  quote: StoredQuote
  /** Plans the task that purchasing the quote now would submit. */
  plan: (trx: Db) => Promise<TaskPlan>
  /** The page of items. */
  limit: number
  offset: number
}

/**
 * Returns the quote with its request and state and, while the quote is open, the items and the cost of a purchase made
 * now. Only reads.
 */
export async function describeQuote(db: Db, { clientId, quote, plan, ...page }: QuoteReading): Promise<QuoteDetails> {
  const { quoteId, request, units, createdAt, expiresAt, isExpired, response } = quote
  return await inTransaction(db, async (trx) => {
    const status = response ? 'purchased' : isExpired ? 'expired' : 'open'
    const planned = status === 'open' ? priced(await plan(trx)) : undefined
    const account = await currentAccount(trx, clientId)
    return {
      quote_id: quoteId,
      status,
      created_at: createdAt,
      expires_at: expiresAt,
      request,
      message: planned ? messageOf(planned, quote, account) : endOf(quote),
      units_required: units,
      units_now: planned?.units ?? null,
      units_remaining: account.balance,
      is_covered: covers(account, planned?.units ?? units),
      overage_allowed: account.overage_allowed,
      task_id: response?.task_id ?? null,
      units_charged: response?.units_charged ?? null,
      items: planned?.items.slice(page.offset, page.offset + page.limit).map(quotedItem) ?? [],
      items_total: planned?.items.length ?? 0,
      ...page,
    }
  })
}

const priced = (plan: TaskPlan) => ({ ...plan, units: sum(plan.items.map(({ cost }) => cost)) })

function messageOf({ message, units }: ReturnType<typeof priced>, quote: StoredQuote, account: Account): string {
  if (units > quote.units) return priceMessage(units, quote)
  return covers(account, units)
    ? message
    : `${message} The balance is too low: ${units} required, ${account.balance} available.`
}

const endOf = ({ quoteId, response }: StoredQuote): string =>
  response
    ? `Quote ${quoteId} was purchased for ${pluralize(response.units_charged, 'unit')}; see task ${response.task_id}.`
    : expiredMessage(quoteId)

const covers = ({ overage_allowed, balance }: Account, units: number): boolean => overage_allowed || units <= balance

const quotedItem = ({ entity, domain, input, cost }: PlannedItem): QuoteDetails['items'][number] => ({
  domain,
  ...(entity === 'person' && { person: input }),
  units: cost,
})
