import { chunk } from '../../src/lib/chunk.ts'
import { AppError, messageOf } from '../../src/lib/errors.ts'
import { pluralize } from '../../src/lib/pluralize.ts'
import type { RunContext } from '../runner/pipeline.ts'
import type { Group } from '../staleness/groups.ts'
import { GROUPS } from '../staleness/groups.ts'
import type { Chosen, Due } from './choose-due.ts'
import type { Intent } from './submissions.ts'
import { updateSubmission, writeIntent } from './submissions.ts'

/** Errors by which the service rejects a submission without charging it. */
const REFUSALS = new Set([
  'insufficient_units',
  'trial_expired',
  'unauthenticated',
  'invalid_request',
  'unprocessable',
  'not_found',
  'conflict',
])

/** Why companies were not submitted, and whether another run in the same night may submit them. */
interface Submitted {
  reasons: string[]
  retry: boolean
}

/**
 * Submits tonight's companies: as the whole list if the service would enrich exactly these companies, otherwise in
 * batches, most urgent first. Each intent is committed before its request. Stops at the first failure. Returns the
 * reason, and whether another run in the same night may submit the rest.
 */
export async function submitDue(context: RunContext, night: string, chosen: Chosen): Promise<Submitted> {
  const { intents, reasons } = await planIntents(context, night, chosen)
  for (const intent of intents) {
    context.signal.throwIfAborted()
    const submission = await writeIntent(context.warehouse.db, intent, context.runId)
    if (!submission) continue // already written tonight; its outcome is recorded with those of the other open submissions
    const failure = await submitOne(context, submission.submission_key, intent)
    if (failure) return { reasons: [...reasons, ...failure.reasons], retry: failure.retry }
  }
  return { reasons, retry: false }
}

async function planIntents(
  context: RunContext,
  night: string,
  { groups, unspent }: Chosen,
): Promise<{ intents: Intent[]; reasons: string[] }> {
  const intents: Intent[] = []
  const reasons: string[] = []
  for (const { group, due, tonight } of groups) {
    if (tonight.length === 0) continue
    const quoted = group === 'company' && tonight.length === due.length ? await quoteList(context, tonight) : undefined
    const budget = tonight.length * GROUPS[group].units + unspent
    if (quoted !== undefined && quoted > budget)
      reasons.push(
        `the service quotes ${pluralize(quoted, 'unit')} for ${pluralize(tonight.length, 'company', 'companies')}, but the budget has ${budget} left: nothing was submitted`,
      )
    else if (quoted !== undefined) intents.push(listIntent(context, night, tonight, quoted))
    else intents.push(...chunk(tonight, batchLimit(context, group)).map((part) => batchIntent(group, night, part)))
  }
  return { intents, reasons }
}

/** Maximum companies of one request. */
const batchLimit = ({ settings }: RunContext, group: Group): number =>
  Math.min(settings.enrich.batch, GROUPS[group].companies)

const listIntent = ({ settings }: RunContext, night: string, tonight: readonly Due[], quoted: number): Intent => ({
  kind: 'list',
  night,
  ...companiesOf(tonight),
  maxAgeDays: settings.freshness.max_age_days,
  quotedUnits: quoted,
})

/** The interface has a dry run only for the list; other prices are fixed. */
const batchIntent = (group: Group, night: string, part: readonly Due[]): Intent => ({
  kind: group === 'company' ? 'batch' : group,
  night,
  ...companiesOf(part),
  maxAgeDays: null,
  quotedUnits: part.length * GROUPS[group].units,
})

const companiesOf = (part: readonly Due[]): Pick<Intent, 'domains' | 'staleCompanies'> => ({
  domains: part.map(({ domain }) => domain),
  staleCompanies: part.filter(({ state }) => state === 'stale').length,
})

/**
 * Quotes the whole list with a dry run. Returns undefined if the list's enrichment would not cover exactly tonight's
 * companies, because some tags have a separate maximum age, or the service counts differently or has no dry run.
 */
async function quoteList(
  { client, settings, signal }: RunContext,
  tonight: readonly Due[],
): Promise<number | undefined> {
  const { max_age_days, by_source } = settings.freshness
  if (Object.keys(by_source).length > 0) return undefined
  const quote = await client.tal.enrich({ dry_run: true, max_age_days }, { signal }).catch((error: unknown) => {
    if (error instanceof AppError && REFUSALS.has(error.code)) return undefined
    throw error
  })
  return quote?.companies_to_enrich === tonight.length ? (quote.units_required ?? tonight.length) : undefined
}

/** Returns why the submission failed, or undefined. */
async function submitOne(context: RunContext, key: string, intent: Intent): Promise<Submitted | undefined> {
  const { db } = context.warehouse
  const { domains } = intent
  const options = { idempotencyKey: key, signal: context.signal }
  try {
    const { enrich, tal } = context.client
    const reply = await (intent.kind === 'list'
      ? tal.enrich({ max_age_days: intent.maxAgeDays }, options)
      : enrich[intent.kind]({ domains }, options))
    const charged = reply.units_charged ?? intent.quotedUnits
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
      return {
        reasons: [
          `the service rejected the submission for ${pluralize(domains.length, 'company', 'companies')}: ${message}`,
        ],
        retry: false,
      }
    }
    if (error.code === 'rate_limited') {
      await updateSubmission(db, key, { state: 'void', reason: message })
      return {
        reasons: [
          `the service rate-limited the submission for ${pluralize(domains.length, 'company', 'companies')}; the next run submits it: ${message}`,
        ],
        retry: true,
      }
    }
    // The request may have arrived. The intent stays open and is looked up before another payment.
    return {
      reasons: [
        `the outcome of the submission for ${pluralize(domains.length, 'company', 'companies')} is unknown (${message}): the next run looks it up before it submits again`,
      ],
      retry: true,
    }
  }
}
