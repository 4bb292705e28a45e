import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { AppError } from '../../src/lib/errors.ts'
import { pluralize } from '../../src/lib/pluralize.ts'
import type { Difference, Verifiable } from '../compare/difference.ts'
import { VERIFIABLE } from '../compare/difference.ts'
import { sliceOfNight } from '../compare/slice.ts'
import { repairFirms } from '../firms/repair.ts'
import { repairHistory } from '../history/repair.ts'
import { repairMembers } from '../members/repair.ts'
import { nightOf } from '../runner/night.ts'
import type { Pipeline } from '../runner/pipeline.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { COMPARISONS, verify } from './verify.ts'

/**
 * Compares a dataset in a pipeline run, so that a scheduler can start the comparison on request. Differences degrade
 * the run.
 */
export const verification = (dataset: Verifiable): Pipeline => ({
  name: `verify-${dataset}`,
  async run(context) {
    const { compared, differences, notes } = await verify(context, dataset)
    context.progress(compared, compared)
    const found = differences.length === 0 ? [] : [`${pluralize(differences.length, 'difference')} from the service`]
    return { reasons: [...found, ...notes] }
  },
})

const REPAIRS = { firms: repairFirms, members: repairMembers, history: repairHistory }

/** Repairs only the records in which the latest `talhouse verify` found differences. */
export const repair = (dataset: Verifiable): Pipeline => ({
  name: `repair-${dataset}`,
  async run(context) {
    const { db } = context.warehouse
    const latest = await latestVerification(db, dataset)
    if (!latest)
      throw new AppError(
        'not_found',
        `There has been no comparison since the last repair. Run \`talhouse verify ${dataset}\` first.`,
      )
    const reasons = latest.differences.length === 0 ? [] : await REPAIRS[dataset](context, latest.differences)
    await sql`update sync.verification set repaired_at = now() where id = ${latest.id}`.execute(db)
    return { reasons }
  },
})

async function latestVerification(
  db: Kysely<WarehouseTables>,
  dataset: Verifiable,
): Promise<{ id: number; differences: Difference[] } | undefined> {
  const { rows } = await sql<{ id: number; differences: Difference[]; repaired: boolean }>`
    select id, differences, repaired_at is not null as repaired from sync.verification where dataset = ${dataset} order by id desc limit 1
  `.execute(db)
  return rows[0]?.repaired === false ? rows[0] : undefined
}

/**
 * Whether the difference is an extra member or firm. The slice repair skips it, because the nightly pulls mark
 * extra members and firms as gone, unless their share exceeds `max_gone_share`.
 */
const isMarkedByPull = ({ kind, entity }: Difference): boolean =>
  kind === 'extra' && (entity === 'tal_member' || entity === 'firm')

/**
 * Compares a slice of all records with the service and repairs the differences. Each record is compared with the
 * service once every `pipelines.nightly.repair_nights` nights.
 */
export const repairSlice: Pipeline = {
  name: 'repair',
  async run(context) {
    const nights = context.settings.nightly.repair_nights
    if (nights === 0) return { reasons: [] }
    const slice = sliceOfNight(await nightOf(context), nights)
    const reasons: string[] = []
    for (const dataset of VERIFIABLE) {
      const { differences } = await COMPARISONS[dataset](context, { slice })
      const repairable = differences.filter((difference) => !isMarkedByPull(difference))
      if (repairable.length === 0) continue
      context.log.warn({ dataset, differences: repairable.length }, 'repairing records that differ from the service')
      reasons.push(...(await REPAIRS[dataset](context, repairable)))
    }
    return { reasons }
  },
}
