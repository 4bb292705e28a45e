import type { DatabaseClock } from '../../src/lib/database-clock.ts'

/** A stopped database clock. It sets timestamps and is compared with them, so tests do not depend on the date. */
export const clockAt = (moment: string | number): DatabaseClock => ({ now: async () => new Date(moment) })
