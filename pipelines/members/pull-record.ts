import { inSpan } from '../../src/lib/tracing.ts'
import type { Host } from '../host-profile/host.ts'
import type { RunContext } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import type { DueRecord } from './due-record.ts'
import { fetchRawMember } from './fetch-record.ts'
import { listDeparted } from './list-departed.ts'
import { readRecord } from './read-record.ts'
import { translateRecord } from './translate-record.ts'
import { writeRecord } from './write-record.ts'

/** Fetches and writes a member's record. Returns the reason why its people may be incomplete, if any. */
export async function pullRecord(
  context: RunContext,
  host: Host,
  { domain, fingerprint }: DueRecord,
): Promise<string | undefined> {
  const fetched = await fetchRawMember({ ...context, host }, domain)
  const record = readRecord(await translateRecord(host, fetched))
  const departed = await listDeparted(context, record)
  const raw = context.settings.members.keep_raw ? fetched : undefined
  const written = await inSpan('write member', {}, () =>
    writeRecord(context.warehouse.db, record, { fingerprint, raw, departed, runId: context.runId }),
  )
  addCounts(context.counts, written)
  return record.personsIncomplete
}
