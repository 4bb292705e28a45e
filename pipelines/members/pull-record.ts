import { bufferWrites } from '../../src/lib/buffer-writes.ts'
import { chunksOf } from '../../src/lib/chunk.ts'
import { forEachConcurrent } from '../../src/lib/for-each-concurrent.ts'
import { inSpan } from '../../src/lib/tracing.ts'
import type { Host } from '../host-profile/host.ts'
import type { RunContext } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import type { DueRecord } from './due-record.ts'
import { fetchRawMember, fetchRawMembers } from './fetch-record.ts'
import { departedLister } from './list-departed.ts'
import type { RawMember } from './raw-member.ts'
import { readRecord } from './read-record.ts'
import { translateRecord } from './translate-record.ts'
import type { CommitOptions, FetchedMember } from './write-record.ts'
import { writeRecords } from './write-record.ts'

/** Number of members per batch, which is written in one transaction. */
const BATCH = 100

/** Maximum number of batches in progress. With more, the batches take more memory and connections, but no less time. */
const BATCHES = 3

/** Number of separately fetched members per transaction. */
const MEMBERS = 50

export interface PullOptions extends CommitOptions {
  /** Called after each record is fetched, with the reason the member's people may be incomplete, if any. */
  onFetched?: (incomplete: string | undefined) => void | Promise<void>
  /**
   * Whether to fetch members in batches if the service supports them. Otherwise, the number of requests is known before
   * the pull. @default false
   */
  inBatches?: boolean
}

/**
 * Fetches and writes members' records. Records are written while others are fetched. If a request fails, the records
 * fetched before it are written, except those of its batch.
 */
export async function pullRecords(
  context: RunContext,
  host: Host,
  due: Iterable<DueRecord> | AsyncIterable<DueRecord>,
  { onFetched, inBatches = false, ...commit }: PullOptions = {},
): Promise<void> {
  const { counts, runId, settings, signal, warehouse } = context
  const reader = { ...context, host }
  const departedFrom = departedLister(context)
  const write = async (members: FetchedMember[]): Promise<void> => {
    addCounts(counts, await inSpan('write members', {}, () => writeRecords(warehouse.db, members, runId, commit)))
  }
  const read = async ({ fingerprint }: DueRecord, fetched: RawMember): Promise<FetchedMember> => {
    const record = readRecord(await translateRecord(host, fetched))
    return { record, fingerprint, departed: await departedFrom(record), raw: settings.keep_raw ? fetched : undefined }
  }
  const buffer = bufferWrites(MEMBERS, write)
  const pullEach = async (
    members: Iterable<DueRecord> | AsyncIterable<DueRecord>,
    concurrency = settings.concurrency,
  ): Promise<void> =>
    await forEachConcurrent(members, concurrency, signal, async (each) => {
      const member = await read(each, await fetchRawMember(reader, each.domain))
      await buffer.add(member)
      await onFetched?.(member.record.personsIncomplete)
    })
  /** Returns false if the service does not support batches. */
  const pullBatch = async (batch: readonly DueRecord[]): Promise<boolean> => {
    const domains = batch.map(({ domain }) => domain)
    const fetched = await fetchRawMembers(reader, domains)
    if (!fetched) return false
    const members = await Promise.all(
      batch.flatMap((each) => {
        const raw = fetched.get(each.domain)
        return raw ? [read(each, raw)] : []
      }),
    )
    if (members.length > 0) await write(members)
    for (const { record } of members) await onFetched?.(record.personsIncomplete)
    // The other batches in progress fetch members separately, too.
    await pullEach(
      batch.filter(({ domain }) => !fetched.has(domain)),
      Math.ceil(settings.concurrency / BATCHES),
    )
    return true
  }
  try {
    if (!inBatches) return await pullEach(due)
    const batches = chunksOf(due, BATCH)
    const { value: first = [] } = await batches.next()
    // The first batch shows whether the service supports batches. For one member, a batch would save no request.
    if (first.length > 1 && (await pullBatch(first)))
      await forEachConcurrent(batches, Math.min(BATCHES, settings.concurrency), signal, async (batch) => {
        if (!(await pullBatch(batch))) await pullEach(batch)
      })
    else await pullEach(withFirst(first, batches))
  } finally {
    await buffer.flush()
  }
}

async function* withFirst<Item>(first: readonly Item[], rest: AsyncIterable<readonly Item[]>): AsyncGenerator<Item> {
  yield* first
  for await (const items of rest) yield* items
}
