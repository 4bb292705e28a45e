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

/** Number of members per batch and per transaction. */
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
 * fetched before it are written.
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
  const buffer = bufferWrites(MEMBERS, async (members: FetchedMember[]) => {
    addCounts(counts, await inSpan('write members', {}, () => writeRecords(warehouse.db, members, runId, commit)))
  })
  const read = async ({ fingerprint }: DueRecord, fetched: RawMember): Promise<FetchedMember> => {
    const record = readRecord(await translateRecord(host, fetched))
    return { record, fingerprint, departed: await departedFrom(record), raw: settings.keep_raw ? fetched : undefined }
  }
  const take = async (group: readonly DueRecord[], fetched: readonly RawMember[]): Promise<void> => {
    const members = await Promise.all(group.map((each, index) => read(each, fetched[index] as RawMember)))
    for (const member of members) {
      await buffer.add(member)
      await onFetched?.(member.record.personsIncomplete)
    }
  }
  const takeBatch = async (group: readonly DueRecord[]): Promise<boolean> => {
    const fetched = await fetchRawMembers(
      reader,
      group.map(({ domain }) => domain),
    )
    if (fetched) await take(group, fetched)
    return fetched !== undefined
  }
  const takeEach = (group: Iterable<DueRecord> | AsyncIterable<DueRecord>): Promise<void> =>
    forEachConcurrent(group, settings.concurrency, signal, async (each) =>
      take([each], [await fetchRawMember(reader, each.domain)]),
    )
  try {
    const groups = chunksOf(due, MEMBERS)
    const { value: first = [] } = await groups.next()
    // The first batch shows whether the service supports batches. For one member, a batch would save no request.
    if (inBatches && first.length > 1 && (await takeBatch(first)))
      await forEachConcurrent(groups, settings.concurrency, signal, async (group) => {
        if (!(await takeBatch(group))) await takeEach(group)
      })
    else await takeEach(withFirst(first, groups))
  } finally {
    await buffer.flush()
  }
}

async function* withFirst<Item>(first: readonly Item[], rest: AsyncIterable<readonly Item[]>): AsyncGenerator<Item> {
  yield* first
  for await (const items of rest) yield* items
}
