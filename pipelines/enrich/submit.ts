import { chunk } from '../../src/lib/chunk.ts'
import { AppError, messageOf } from '../../src/lib/errors.ts'
import { pluralize } from '../../src/lib/pluralize.ts'
import type { RunContext } from '../runner/pipeline.ts'
import type { Group } from '../staleness/groups.ts'
import { GROUPS } from '../staleness/groups.ts'
import type { Chosen, Due } from './choose-due.ts'
import type { Intent, Submission } from './submissions.ts'
import { updateSubmission, writeIntent } from './submissions.ts'

/** What a refusal says: the service did not take it, and charged nothing. */
const REFUSALS = new Set([
  'insufficient_units',
  'trial_expired',
  'unauthenticated',
  'invalid_request',
  'unprocessable',
  'not_found',
  'conflict',
])

/**
 * Submits tonight's companies: the whole list when exactly they are what the service would take, else batches, the most urgent first. Each
 * intent is committed before its call. Stops at the first that does not go through, and returns why.
 */
export async function submitDue(context: RunContext, night: string, chosen: Chosen): Promise<string[]> {
  for (const intent of await planIntents(context, night, chosen)) {
    context.signal.throwIfAborted()
    const submission = await writeIntent(context.warehouse.db, intent, context.runId)
    if (!submission) continue // this night has had it: it is settled with the open ones
    const reason = await submitOne(context, submission)
    if (reason) return [reason]
  }
  return []
}

async function planIntents(context: RunContext, night: string, { groups }: Chosen): Promise<Intent[]> {
  const intents: Intent[] = []
  for (const { group, due, tonight } of groups) {
    if (tonight.length === 0) continue
    const quoted = group === 'company' && tonight.length === due.length ? await quoteList(context, tonight) : undefined
    const domains = tonight.map(({ domain }) => domain)
    const { max_age_days: maxAgeDays } = context.settings.freshness
    if (quoted !== undefined) intents.push({ kind: 'list', night, domains, maxAgeDays, quotedUnits: quoted })
    else intents.push(...chunk(domains, largestPart(context, group)).map((part) => partIntent(group, night, part)))
  }
  return intents
}

/** As many as one request may hold. */
const largestPart = ({ settings }: RunContext, group: Group): number =>
  Math.min(settings.enrich.batch, GROUPS[group].companies)

/** The interface has a dry run for the list alone: what the others cost stands in it. */
const partIntent = (group: Group, night: string, domains: string[]): Intent => ({
  kind: group === 'company' ? 'batch' : group,
  night,
  domains,
  maxAgeDays: null,
  quotedUnits: domains.length * GROUPS[group].units,
})

/**
 * Asks by dry run what the whole list would cost. Undefined when it is not the same work: tags with ages of their own, a service that
 * counts otherwise, or one that cannot say.
 */
async function quoteList(
  { client, settings, signal }: RunContext,
  tonight: readonly Due[],
): Promise<number | undefined> {
  const { max_age_days, by_source } = settings.freshness
  if (Object.keys(by_source).length > 0) return undefined
  const quote = await client.enrich.tal({ dry_run: true, max_age_days }, { signal }).catch((error: unknown) => {
    if (error instanceof AppError && REFUSALS.has(error.code)) return undefined
    throw error
  })
  return quote?.companies_to_enrich === tonight.length ? (quote.units_required ?? tonight.length) : undefined
}

/** Undefined when it was accepted. */
async function submitOne(context: RunContext, submission: Submission): Promise<string | undefined> {
  const { db } = context.warehouse
  const { submission_key: key, kind, domains, max_age_days } = submission
  const options = { idempotencyKey: key, signal: context.signal }
  try {
    const { enrich } = context.client
    const send = {
      list: () => enrich.tal({ max_age_days: max_age_days ?? 30 }, options),
      batch: () => enrich.batch({ domains }, options),
      leadership: () => enrich.leadership({ domains }, options),
      signals: () => enrich.signals({ domains }, options),
    }
    const reply = await send[kind]()
    const charged = reply.units_charged ?? submission.quoted_units
    context.counts.units += charged
    const task = typeof reply.task_id === 'string' ? reply.task_id : null
    await updateSubmission(
      db,
      key,
      task
        ? { state: 'submitted', task_id: task, units_charged: charged }
        : { state: 'completed', units_charged: charged, units_refunded: 0 },
    )
    return undefined
  } catch (error) {
    const message = messageOf(error)
    if (!(error instanceof AppError)) throw error
    if (REFUSALS.has(error.code)) {
      await updateSubmission(db, key, { state: 'refused', reason: message })
      return `the service refused to enrich ${pluralize(domains.length, 'company', 'companies')}: ${message}`
    }
    if (error.code === 'rate_limited') {
      await updateSubmission(db, key, { state: 'void', reason: message })
      return `the service was too busy for ${pluralize(domains.length, 'company', 'companies')} until the next night: ${message}`
    }
    // It may have arrived. The intent stands, and the service is asked before anything is paid again.
    return `whether the submission for ${pluralize(domains.length, 'company', 'companies')} was accepted is not known (${message}): the next run asks the service before it submits again`
  }
}
