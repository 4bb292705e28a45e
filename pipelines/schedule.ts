import { CronExpressionParser } from 'cron-parser'
import { AppError, messageOf } from '../src/lib/errors.ts'

/** When something is due: the settings of `schedule` in config/talhouse.yaml. */
export interface Schedule {
  /** Minute, hour, day of month, month, day of week. */
  readonly cron: string
  readonly time_zone: string
  readonly pipelines: readonly string[]
}

/** The latest moment at or before `now` at which the schedule was due. */
export function lastDue(schedule: Schedule, now: Date): Date {
  // `prev` looks strictly before: a millisecond more takes in a moment that is now.
  return parse(schedule, new Date(now.getTime() + 1))
    .prev()
    .toDate()
}

export const nextDue = (schedule: Schedule, now: Date): Date => parse(schedule, now).next().toDate()

function parse({ cron, time_zone: tz }: Schedule, currentDate: Date) {
  try {
    return CronExpressionParser.parse(cron, { tz, currentDate })
  } catch (error) {
    throw new AppError(
      'configuration',
      `schedule.cron (TALHOUSE_SCHEDULE_CRON) is ${JSON.stringify(cron)} in the time zone ${tz}: ${messageOf(error)}`,
      { cause: error },
    )
  }
}
