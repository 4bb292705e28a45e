import type { ClientPlan } from '../../auth/clients.ts'
import { AppError } from '../../lib/errors.ts'
import { parseTimestamp } from '../../lib/timestamps.ts'
import type { Parameters, Values } from './definition.ts'

/** Options for a client's plan. */
export const PLAN_OPTIONS = {
  plan: { type: 'string', describe: 'Name of the plan' },
  units: { type: 'integer', min: 0, describe: 'Units granted at the start of each period' },
  period: { type: 'string', describe: 'Length of a period, such as "1 month" or "30 days"' },
  overage: { type: 'boolean', describe: 'Allow a negative balance' },
  'reads-per-minute': { type: 'integer', min: 0, describe: 'Read rate limit' },
  'submits-per-minute': { type: 'integer', min: 0, describe: 'Submission rate limit' },
  'trial-ends': { type: 'string', describe: 'End of the trial: a date, a timestamp or "never"' },
} as const satisfies Parameters

export type PlanArguments = Values<typeof PLAN_OPTIONS>

/** Returns the plan fields given on the command line. */
export function planOf(args: PlanArguments): ClientPlan {
  const plan = {
    plan: args.plan,
    units_per_period: args.units,
    period: args.period,
    overage_allowed: args.overage,
    reads_per_minute: args['reads-per-minute'],
    submits_per_minute: args['submits-per-minute'],
    trial_ends_at: args['trial-ends'] === undefined ? undefined : trialEnd(args['trial-ends']),
  }
  return Object.fromEntries(Object.entries(plan).filter(([, value]) => value !== undefined))
}

function trialEnd(text: string): string | null {
  if (text === 'never') return null
  const moment = parseTimestamp(text)
  if (moment !== undefined) return moment
  throw new AppError('invalid_request', `--trial-ends must be a date such as 2027-01-31 or "never", not ${text}.`)
}
