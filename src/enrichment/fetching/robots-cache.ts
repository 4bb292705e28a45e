import type { Clock } from '../../lib/clock.ts'
import type { RobotsRules } from './robots.ts'

const DAY = 86_400_000
/** A site that could not be reached is asked again after this. */
const MINUTE = 60_000
const MANY_SITES = 2000

/** Rules by origin, for 24 hours (RFC 9309, 2.4). Requests for one origin's rules at the same time share one answer. */
export class RobotsCache {
  readonly #clock: Clock
  readonly #rules = new Map<string, { rules: Promise<RobotsRules>; until: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  rulesFor(origin: string, load: () => Promise<RobotsRules>): Promise<RobotsRules> {
    const now = this.#clock.now().getTime()
    const known = this.#rules.get(origin)
    if (known && now < known.until) return known.rules
    const rules = load()
    const entry = { rules, until: now + DAY }
    this.#rules.delete(origin)
    this.#rules.set(origin, entry)
    for (const oldest of this.#rules.keys()) {
      if (this.#rules.size <= MANY_SITES) break
      this.#rules.delete(oldest)
    }
    rules.then(
      ({ unreachable }) => {
        if (unreachable) entry.until = now + MINUTE
      },
      // Aborted by its caller: the next one asks for itself.
      () => this.#rules.delete(origin),
    )
    return rules
  }
}
