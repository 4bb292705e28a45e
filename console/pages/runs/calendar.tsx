import type { WarehouseRun } from '../../../src/contract/warehouse.ts'
import { formatDay } from '../../lib/format.ts'
import { Empty } from '../../ui/feedback.tsx'
import { resultName, toneOf } from './run-state.tsx'

const DAY_MS = 86_400_000
const WEEKS = 53

/**
 * A calendar of one year's nightly runs, with one column per week, starting on Monday. A day with several nightly runs
 * shows the latest one.
 */
export function Calendar({ nights }: { nights: readonly WarehouseRun[] }) {
  const [latest] = nights
  if (!latest) return <Empty title="No nightly runs yet">The first nightly run appears here.</Empty>
  const byDay = new Map(nights.toReversed().map((run) => [run.started_at.slice(0, 10), run]))
  const today = Math.floor(Date.now() / DAY_MS)
  const weekday = (today + 3) % 7
  const oldest = Math.floor(Date.parse(nights.at(-1)?.started_at ?? latest.started_at) / DAY_MS)
  const weeks = Math.min(WEEKS, Math.max(12, Math.ceil((today - oldest + 7) / 7)))
  const first = today - weekday - (weeks - 1) * 7
  const days = Array.from({ length: today - first + 1 }, (_, index) =>
    new Date((first + index) * DAY_MS).toISOString().slice(0, 10),
  )
  return (
    <ul class="calendar" aria-label="Nightly runs by day">
      {days.map((day) => {
        const run = byDay.get(day)
        if (!run) return <li key={day} title={`${formatDay(day)}: no nightly run`} />
        const text = `${formatDay(day)}: ${resultName(run.outcome ?? run.state)}`
        return (
          <li key={day} class={toneOf(run)}>
            <a href={`/console/runs/${run.id}`} title={text}>
              <span class="sr-only">{text}</span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}
