import type { DatabaseClock } from '../../src/lib/database-clock.ts'

/**
 * Returns a stopped database clock. Timestamps are taken from this clock and compared with it, so tests do not depend
 * on the date.
 */
export const clockAt = (moment: string | number): DatabaseClock => ({ now: async () => new Date(moment) })
