import { askDatabase } from '../helpers/cloned-database.ts'

const TABLES = [
  'warehouse.firm',
  'warehouse.firm_previous',
  'warehouse.tal_member',
  'warehouse.company',
  'warehouse.person',
  'warehouse.former_person',
  'warehouse.company_provenance',
  'warehouse.person_provenance',
  'warehouse.signal',
  'warehouse.history_event',
  'warehouse.quarantine',
  'warehouse.submission',
  'warehouse.freshness_target',
  'warehouse.freshness_by_night',
  'warehouse.ledger_line',
  'sync.member_state',
  'sync.list_entry',
  'sync.raw_record',
  'sync.watermark',
] as const

/** Columns with timestamps and run IDs, which differ between equal warehouses. */
const OF_THE_RUN = `array['run_id', 'recorded_at', 'first_seen_at', 'last_seen_at', 'last_changed_at', 'superseded_at', 'gone_at', 'resolved_at',
  'valid_from', 'valid_to', 'fetched_at', 'received_at', 'moved_at', 'task_id', 'intended_at', 'submitted_at', 'outcome_at']`

const ENDS = `'{"gone_at": 1, "resolved_at": 1, "outcome_at": 1, "task_id": 1}'::jsonb`

/** Watermarks `whole/...` contain the time of a pull, which differs between equal warehouses. */
const TIMES_OF_PULLS = `where subject not like 'whole/%'`

/**
 * Returns one hash per table of the warehouse, without timestamps and run IDs. The hash still reflects which rows are
 * gone and which submissions have an outcome.
 */
export const warehouseContents = (url: string): Promise<Record<string, string>> =>
  askDatabase(
    url,
    `select jsonb_object_agg(tab, rows) as value from (${TABLES.map(
      (table) => `
      select '${table}' as tab, md5(coalesce(string_agg(text, '|' order by text), '')) as rows
      from (
        select (to_jsonb(t) - ${OF_THE_RUN})::text || (
          select coalesce(string_agg(key, ',' order by key), '') from jsonb_each(jsonb_strip_nulls(to_jsonb(t))) where ${ENDS} ? key
        ) as text
        from ${table} t ${table === 'sync.watermark' ? TIMES_OF_PULLS : ''}
      ) x`,
    ).join(' union all ')}) tables`,
  )

/** Returns the watermarks that are ahead of the stored data. */
export const watermarksAhead = (url: string): Promise<string[]> =>
  askDatabase(
    url,
    `select coalesce(json_agg(mark.subject), '[]') as value
     from sync.watermark mark
     where mark.pipeline = 'history' and mark.subject not like 'whole/%' and mark.value::timestamptz > coalesce((
       select max(changed_at) from warehouse.history_event event
       where case split_part(mark.subject, '/', 1)
         when 'person' then event.entity = 'person' and event.domain = split_part(mark.subject, '/', 2) and event.key = split_part(mark.subject, '/', 3)
         when 'company' then event.entity = 'company' and event.domain = split_part(mark.subject, '/', 2)
         else event.domain = split_part(mark.subject, '/', 2)
       end
     ), '-infinity')`,
  )
