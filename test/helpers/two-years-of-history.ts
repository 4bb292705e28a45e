import type { StrangeHost } from './strange-host.ts'
import { startStrangeHost } from './strange-host.ts'

const DAY = 86_400_000
export const MEMBERS = 60

/** Starts a host whose members have two years of weekly changes. */
export async function hostWithHistory(): Promise<StrangeHost> {
  const host = await startStrangeHost()
  host.world.behavior.history = { total: true }
  for (let index = 0; index < MEMBERS; index += 1) {
    const domain = `company${index}.example`
    host.world.tal.push({ domain })
    host.world.companies.set(domain, { domain, employee_count: 104 })
    host.world.events.set(
      domain,
      Array.from({ length: 104 }, (_, week) => ({
        field: 'employee_count',
        old_value: week,
        new_value: week + 1,
        changed_at: new Date(Date.now() - (104 - week) * 7 * DAY - index * 1000).toISOString(),
      })),
    )
    host.world.firms.push({ sec_number: `801-${10_000 + index}`, legal_name: domain, region: 'NYRO', aum_total_usd: 1 })
  }
  return host
}
