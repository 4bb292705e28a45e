import { chunk } from '../../src/lib/chunk.ts'
import { AppError, messageOf } from '../../src/lib/errors.ts'
import { pluralize } from '../../src/lib/pluralize.ts'
import type { RunContext } from '../runner/pipeline.ts'
import type { Group } from '../staleness/groups.ts'
import { GROUPS } from '../staleness/groups.ts'
import { readBudget } from './budget.ts'
import type { Chosen, Due } from './choose-due.ts'
import type { Intent } from './submissions.ts'
import { spentUnits, updateSubmission, writeIntent } from './submissions.ts'

/** Error codes with which the service refuses a submission without charging for it. */
const REFUSALS = new Set([
  'insufficient_units',
  'trial_expired',
  'unauthenticated',
  'invalid_request',
  'unprocessable',
  'not_found',
  'conflict',
])

/** The reasons that companies were not submitted, and whether a retry in the same nightly run may submit them. */
interface Submitted {
  reasons: string[]
  retry: boolean
}

/**
 * Submits the chosen companies: as the whole list if the service would enrich exactly these companies, otherwise in
 * batches, most urgent first. Commits each intent before sending its request. After the first failed request, drops the
 * remaining intents and returns the reason.
 */
export async function submitDue(context: RunContext, night: string, chosen: Chosen): Promise<Submitted> {
  const { intents, reasons } = await planIntents(context, night, chosen)
  for (const intent of intents) {
    context.signal.throwIfAborted()
    const lowered = await loweredBudget(context, night, chosen, intent)
    if (lowered) return { reasons: [...reasons, lowered], retry: false }
    const submission = await writeIntent(context.warehouse.db, intent, context.runId)
    if (!submission) continue // written earlier in the same night; `recordOutcomes` records the outcome
    const failure = await submitOne(context, submission.submission_key, intent)
    if (failure) return { reasons: [...reasons, ...failure.reasons], retry: failure.retry }
  }
  return { reasons, retry: false }
}

/** Returns the reason the intent must wait if the budget was lowered since the companies were chosen. */
async function loweredBudget(
  { warehouse, settings }: RunContext,
  night: string,
  { unitsPerNight }: Chosen,
  { quotedUnits }: Intent,
): Promise<string | undefined> {
  const { units_per_night } = await readBudget(warehouse.db, settings.enrich)
  if (units_per_night >= unitsPerNight || (await spentUnits(warehouse.db, night)) + quotedUnits <= units_per_night)
    return undefined
  return `the budget was lowered to ${pluralize(units_per_night, 'unit')} per night during the run, so the remaining companies wait`
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
        `the service quotes ${pluralize(quoted, 'unit')} for ${pluralize(tonight.length, 'company', 'companies')}, but only ${budget} remain in the budget, so nothing was submitted`,
      )
    else if (quoted !== undefined) intents.push(listIntent(context, night, tonight, quoted))
    else intents.push(...chunk(tonight, batchLimit(context, group)).map((part) => batchIntent(group, night, part)))
  }
  return { intents, reasons }
}

/** Maximum companies per request. */
const batchLimit = ({ settings }: RunContext, group: Group): number =>
  Math.min(settings.enrich.batch, GROUPS[group].companies)

const listIntent = ({ settings }: RunContext, night: string, tonight: readonly Due[], quoted: number): Intent => ({
  kind: 'list',
  night,
  ...companiesOf(tonight),
  maxAgeDays: settings.freshness.max_age_days,
  quotedUnits: quoted,
})

/** The interface supports dry runs only for the list. Other requests have fixed prices. */
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
 * Requests the price of the whole list with a dry run. Returns undefined if the service does not support dry runs, or
 * if enriching the list would not cover exactly the chosen companies. The two sets of companies differ if some tags
 * have a separate maximum age, or if the service counts differently.
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

/**
 * Sends a submission. If the request fails, returns the reasons, and whether a retry in the same nightly run may
 * succeed.
 */
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
          `the service refused the submission for ${pluralize(domains.length, 'company', 'companies')}: ${message}`,
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
    // The request may have arrived, so the intent remains open, and the next run searches for its task before it pays
    // again.
    return {
      reasons: [
        `the outcome of the submission for ${pluralize(domains.length, 'company', 'companies')} is unknown (${message}); the next run searches for its task before it submits again`,
      ],
      retry: true,
    }
  }
}
