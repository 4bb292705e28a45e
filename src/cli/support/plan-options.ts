import type { InferredOptionTypes, Options } from 'yargs'
import type { ClientPlan } from '../../auth/clients.ts'
import { AppError } from '../../lib/errors.ts'
import { parseTimestamp } from '../../lib/timestamps.ts'

/** What can be said of a client's plan on the command line. */
export const PLAN_OPTIONS = {
  plan: { type: 'string', describe: 'Name of the plan', group: 'Plan:' },
  units: { type: 'number', describe: 'Units granted at the start of each period', group: 'Plan:' },
  period: { type: 'string', describe: 'Length of a period, such as "1 month" or "30 days"', group: 'Plan:' },
  overage: { type: 'boolean', describe: 'Let the balance go below zero', group: 'Plan:' },
  'reads-per-minute': { type: 'number', describe: 'Reads accepted in a minute', group: 'Plan:' },
  'submits-per-minute': { type: 'number', describe: 'Submissions accepted in a minute', group: 'Plan:' },
  'trial-ends': {
    type: 'string',
    describe: 'When the trial ends (2027-01-31, or a timestamp); "never"',
    group: 'Plan:',
  },
} as const satisfies Record<string, Options>

type PlanArguments = Partial<InferredOptionTypes<typeof PLAN_OPTIONS>>

/** The plan that the options describe; what was not given is left out. */
export function planOf(args: PlanArguments): ClientPlan {
  const plan = {
    plan: args.plan,
    units_per_period: wholeNumber('units', args.units),
    period: args.period,
    overage_allowed: args.overage,
    reads_per_minute: wholeNumber('reads-per-minute', args['reads-per-minute']),
    submits_per_minute: wholeNumber('submits-per-minute', args['submits-per-minute']),
    trial_ends_at: args['trial-ends'] === undefined ? undefined : trialEnd(args['trial-ends']),
  }
  return Object.fromEntries(Object.entries(plan).filter(([, value]) => value !== undefined))
}

function wholeNumber(name: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isInteger(value) && Math.abs(value) < 2 ** 31)) return value
  throw new AppError('invalid_request', `--${name} takes a whole number below 2147483648.`)
}

function trialEnd(text: string): string | null {
  if (text === 'never') return null
  const moment = parseTimestamp(text)
  if (moment !== undefined) return moment
  throw new AppError('invalid_request', `--trial-ends takes a date such as 2027-01-31, or "never", not ${text}.`)
}
