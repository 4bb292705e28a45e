import { sql } from 'kysely'
import { pluralize } from '../../src/lib/pluralize.ts'
import { Host } from '../host-profile/host.ts'
import type { Pipeline, PipelineResult, RunContext } from '../runner/pipeline.ts'
import { goneShareReason } from '../warehouse/gone-share.ts'
import { countUnresolved } from '../warehouse/quarantine.ts'
import { rejectedReason } from '../warehouse/rejected-record.ts'
import { analyzeMembers } from './analyze-members.ts'
import type { DueSelection } from './due-record.ts'
import { countDue, dueRecords } from './due-record.ts'
import type { ListPull } from './list-pulls.ts'
import { closePull, countEntries, openPull, restartPull } from './list-pulls.ts'
import { countMissing, markMissing } from './mark-gone.ts'
import { pullList } from './pull-list.ts'
import { pullRecords } from './pull-record.ts'
import { deleteExpired } from './remove-persons.ts'
import { writeListPage } from './write-list-page.ts'

/**
 * Pulls the target account list, and the company, people, leadership and signals of each changed member. If the list is
 * verified to be complete, marks members that are no longer on it as gone, unless their share exceeds `max_gone_share`.
 */
export const talMembers: Pipeline = {
  name: 'tal-members',
  run: (context) => pullMembers(context, { pipeline: 'tal-members' }),
}

/**
 * Executes a run of the pipeline. Pulls the complete list before the records, because a list that is read quickly
 * rarely changes in the meantime. Resumes the pipeline's unfinished list pull, unless it started before `notBefore`.
 */
export async function pullMembers(
  context: RunContext,
  { pipeline, notBefore }: { pipeline: string; notBefore?: string },
): Promise<PipelineResult> {
  const { warehouse, client, settings, runId } = context
  const { db } = warehouse
  if (!settings.keep_raw) await db.deleteFrom('sync.raw_record').execute()
  const host = await Host.open(context)
  const pull = await openPull(db, { pipeline, runId, url: client.baseUrl, notBefore })
  const reasons = await receiveList(context, host, pull)
  const isComplete = reasons.length === 0
  if (isComplete) reasons.push(...(await markMissingGone(context, pull)))
  reasons.push(...(await pullDue(context, host, { pull, isComplete })))
  await resolveReadable(context, pull, isComplete)
  await closePull(db, pull)
  context.counts.gone += await deleteExpired(db, await context.clock.now(), settings.members.former_people_days)
  if (isMostlyNew(context)) await analyzeMembers(db)
  const rejected = await countUnresolved(db, ENTITIES)
  if (rejected > 0) reasons.push(rejectedReason(rejected, 'record'))
  return { reasons: [...reasons, ...host.driftReasons()] }
}

/** The kinds of records that the pipeline may reject. */
const ENTITIES = ['tal_member', 'company', 'person', 'signal', 'company_provenance', 'person_provenance']

/**
 * Pulls and stores the list. Returns the reasons that completeness could not be verified; empty if the list is
 * complete.
 */
async function receiveList(context: RunContext, host: Host, pull: ListPull): Promise<string[]> {
  const { db } = context.warehouse
  const receiver = {
    take: writeListPage.bind(undefined, context, pull),
    count: () => countEntries(db, pull),
    hasMissing: async () => (await countMissing(db, pull)).missing > 0,
    restart: () => restartPull(db, pull),
  }
  return await pullList({ ...context, host }, receiver, pull.from)
}

/** Resolves earlier rejections of list entries that this pull could read, and of members that are gone. */
async function resolveReadable(
  { warehouse: { db } }: RunContext,
  { pipeline, attempt, startedAt }: ListPull,
  isComplete: boolean,
): Promise<void> {
  // An earlier run may have rejected entries in the same pull.
  const resolved = sql`update warehouse.quarantine set resolved_at = now() where resolved_at is null and last_seen_at < ${startedAt}`
  await sql`${resolved} and entity = 'tal_member' and split_part(key, ' / ', 1) in (
    select domain from sync.list_entry where pipeline = ${pipeline} and attempt = ${attempt})`.execute(db)
  if (!isComplete) return
  await sql`${resolved} and entity = any (${ENTITIES}::text[])
    and not exists (select from warehouse.tal_member where domain = split_part(key, ' / ', 1) and gone_at is null)`.execute(
    db,
  )
}

/** Marks missing members as gone. If their share exceeds the limit, marks none and returns the reason. */
async function markMissingGone(context: RunContext, pull: ListPull): Promise<string[]> {
  const { db } = context.warehouse
  const found = await countMissing(db, pull)
  if (found.missing === 0) return []
  const reason = goneShareReason(found, {
    noun: 'members',
    setting: 'pipelines.members.max_gone_share',
    limit: context.settings.members.max_gone_share,
  })
  if (reason) return [reason]
  context.counts.gone += await markMissing(db, pull)
  return []
}

/** Fetches and writes the records that are due. Returns the reason people may be missing, if any. */
async function pullDue(context: RunContext, host: Host, selection: DueSelection): Promise<string[]> {
  const { warehouse } = context
  const total = await countDue(warehouse.db, selection)
  let incomplete = 0
  let first: string | undefined
  let done = 0
  context.progress(0, total)
  const onFetched = (reason: string | undefined): void => {
    if (reason !== undefined) {
      incomplete += 1
      if (first === undefined || reason < first) first = reason
    }
    done += 1
    context.progress(done, total)
  }
  // `closePull` detects a crash of PostgreSQL.
  await pullRecords(context, host, dueRecords(warehouse.db, selection), {
    onFetched,
    inBatches: true,
    awaitFlush: false,
  })
  if (first === undefined) return []
  return [
    `the lists of people at ${pluralize(incomplete, 'company', 'companies')} may be incomplete, so missing people were kept: ${first}`,
  ]
}

const isMostlyNew = ({ counts: { inserted, updated, unchanged } }: RunContext): boolean =>
  inserted > updated + unchanged
