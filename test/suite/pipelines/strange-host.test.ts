import { expect, it } from 'vitest'
import { nightly } from '../../../pipelines/nightly.ts'
import { randomFrom } from '../../helpers/cloned-database.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'
import { PIPELINE_SETTINGS } from '../../helpers/pipeline-deps.ts'
import { VARIATIONS } from '../../helpers/strange-combination.ts'
import { addMisfit, firstNight, nextNight } from '../../helpers/strange-growth.ts'
import { startStrangeHost } from '../../helpers/strange-host.ts'
import { differencesFromHost, paidTwice, unitsUnaccounted } from '../../helpers/strange-truth.ts'

const SETTINGS = {
  firms: { max_gone_share: 1 },
  members: {
    max_gone_share: 1,
    full_pull_days: 7,
    former_people_days: 1095,
    provenance: 'none' as const,
  },
  enrich: { ...PIPELINE_SETTINGS.enrich, batch: 5, grace_minutes: 0.5 / 60, wait_minutes: 0.1 },
}

/**
 * Variations whose nightly runs may be degraded without an error, because each new finding about a host is reported
 * once.
 */
const REPORTED: ReadonlySet<string> = new Set(['unknown fields', 'submissions booked after a 504'])
/** Variations whose nightly runs are always degraded, because some records cannot be stored. */
const NEVER_OK: ReadonlySet<string> = new Set(['a record that does not fit'])

it.each(
  Object.entries(VARIATIONS),
)('a nightly run that is ok has the rows and units of the host: %s', async (name, variation) => {
  await using host = await startStrangeHost()
  const { world } = host
  const random = randomFrom(7)
  world.behavior = variation.behavior ?? {}
  world.reportsHistory = variation.reportsHistory ?? false
  firstNight(world, random)
  if (variation.hasMisfit) addMisfit(world)
  const units = world.units
  await using bench = await pipelineBench(host, SETTINGS)
  const outcomes: (string | null)[] = []
  for (let night = 0; night < 3; night += 1) {
    if (night > 0) nextNight(world, random, night)
    let requests = 0
    let waits = variation.longWait && night === 1 ? 1 : 0
    host.fault = (request) => {
      requests += 1
      // Removes and adds members after the second run has read the first page of the list.
      if (variation.churns && night === 1 && request.endsWith('/tal/companies') && requests === 2)
        world.tal = [...world.tal.slice(1), { domain: 'late.example', source: 'sales' }]
      if (waits > 0 && request === 'POST /firms') {
        waits -= 1
        return { status: 429, headers: { 'retry-after': '86400' } }
      }
      return variation.faults && random() < variation.faults ? { status: 500 } : undefined
    }
    const run = await bench.run({ pipeline: nightly })
    outcomes.push(run.outcome)
    if (run.outcome !== 'ok') continue
    expect(await differencesFromHost(bench.warehouse.db, world)).toEqual([])
    expect(await unitsUnaccounted(bench.warehouse.db, units - world.units)).toBe(0)
  }
  expect(paidTwice(world)).toEqual([])
  if (NEVER_OK.has(name)) expect(outcomes).toEqual(['degraded', 'degraded', 'degraded'])
  else if (variation.faults === undefined) expect(outcomes.at(-1)).toBe('ok')
  if (REPORTED.has(name)) expect(outcomes[0]).toBe('degraded')
})
