import { CronExpressionParser } from 'cron-parser'
import { AppError, messageOf } from '../../src/lib/errors.ts'

/** The `schedule` settings in config/talhouse.yaml. */
export interface Schedule {
  /** Cron expression with minute, hour, day of month, month and day of week. */
  readonly cron: string
  readonly time_zone: string
  /** Which missed runs to start: none, the latest, or all in order. */
  readonly catch_up: 'skip' | 'latest' | 'all'
}

/** The latest due time at or before `now`. */
export function lastDue(schedule: Schedule, now: Date): Date {
  // Unlike next(), prev() skips times that do not exist because of daylight saving (02:30 when clocks go forward).
  const earlier = parse(schedule, now).prev().toDate()
  return dueSince(schedule, earlier, now).at(-1) ?? earlier
}

/** Maximum number of missed runs to start. Older missed runs are skipped. */
const MAX_MISSED = 31

/** All due times after `served` up to `now`, oldest first. */
export function dueSince(schedule: Schedule, served: Date, now: Date): Date[] {
  const moments: Date[] = []
  for (const forwards = parse(schedule, served); ; ) {
    const moment = forwards.next().toDate()
    if (moment > now) return moments
    moments.push(moment)
    if (moments.length > MAX_MISSED) moments.shift()
  }
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
