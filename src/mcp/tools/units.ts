import { Type } from 'typebox'
import { QuoteQuery, QuoteRequest } from '../../contract/enrichment.ts'
import type { Tool } from '../tool.ts'
import { tool } from '../tool.ts'

const closed = { additionalProperties: false } as const
const quoteId = Type.String({ minLength: 1, maxLength: 100, description: 'quote_id from quote_enrichment.' })

/** Tools for prices, purchases and their tasks. Only `purchase_quote` spends units. */
export const UNIT_TOOLS: readonly Tool[] = [
  tool({
    name: 'get_usage',
    title: 'Get usage',
    description: 'Returns the plan and its remaining units. Free.',
    parameters: Type.Object({}, closed),
    isUntrusted: false,
    run: async (client, _args, signal) => await client.usage({ signal }),
  }),
  tool({
    name: 'quote_enrichment',
    title: 'Quote an enrichment',
    description:
      'Returns the price of an enrichment in units, and a quote_id that can be purchased for an hour. Charges nothing. Pass exactly one field.',
    parameters: QuoteRequest,
    isUntrusted: false,
    run: async (client, request, signal) => await client.enrich.quote(request, { signal }),
  }),
  tool({
    name: 'get_quote',
    title: 'Get a quote',
    description:
      'Returns the items of a quote, its state (open, purchased or expired), and the task_id of its purchase. Call this tool to check whether someone else has purchased the quote. Free.',
    parameters: Type.Object({ quote_id: quoteId, ...Type.Partial(QuoteQuery).properties }, closed),
    isUntrusted: false,
    run: async (client, { quote_id, ...page }, signal) => await client.enrich.getQuote(quote_id, page, { signal }),
  }),
  tool({
    name: 'purchase_quote',
    title: 'Purchase a quote',
    description:
      'Spends the units of a quote and starts the enrichment. Requires the `enrich` scope. Before calling this tool, tell the user the price and ask for approval. A repeated call is charged once.',
    parameters: Type.Object({ quote_id: quoteId }, closed),
    isUntrusted: false,
    spends: true,
    run: async (client, { quote_id }, signal) => await client.enrich.purchase(quote_id, { signal }),
  }),
  tool({
    name: 'get_task',
    title: 'Get a task',
    description: 'Returns the status of an enrichment, and its result when it has ended. Free.',
    parameters: Type.Object(
      { task_id: Type.String({ minLength: 1, maxLength: 100, description: 'task_id from purchase_quote.' }) },
      closed,
    ),
    isUntrusted: true,
    run: async (client, { task_id }, signal) => await client.tasks.result(task_id, { signal }),
  }),
]
