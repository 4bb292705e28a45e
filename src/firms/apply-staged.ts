import { sql } from 'kysely'
import type { FirmFieldName } from '../contract/firm-fields.ts'
import { FIRM_FIELD_NAMES } from '../contract/firm-fields.ts'
import type { Db } from '../db/database.ts'

/** The content and date of a staged file. */
export interface StagedContent {
  importId: string
  asOf: string
  /** Typed fields in the file's layout. Other fields keep their current values, unless the firm changed its type. */
  fields: readonly FirmFieldName[]
  /**
   * Headings of the items in the file's layout. Other items keep their current values, unless the firm changed its
   * type.
   */
  itemHeadings: readonly string[]
}

export interface AppliedCounts {
  new: number
  returned: number
  changed: number
  unchanged: number
  gone: number
}

/**
 * Applies the staged rows to `firm` with one statement per kind of change. Readers see all changes at once, when the
 * caller's transaction commits.
 */
export async function applyStaged(db: Db, content: StagedContent): Promise<AppliedCounts> {
  await compare(db, content)
  const counts = await countOutcomes(db)
  await recordChanges(db, content)
  await recordItemChanges(db, content)
  await insertNew(db, content)
  await updateChanged(db, content)
  return { ...counts, gone: await markGone(db, content) }
}

const columns = (fields: readonly FirmFieldName[], of: string) =>
  sql.join(fields.map((field) => sql.ref(`${of}.${field}`)))

/**
 * SQL for a field's value after the import. A field missing from the layout keeps its value. If the firm moved between
 * registered and exempt, the value becomes null, because the firm no longer reports the field.
 */
const valueAfter = (field: FirmFieldName, { fields }: StagedContent) =>
  fields.includes(field)
    ? sql.ref(`staged.${field}`)
    : sql`case when firm.firm_type = staged.firm_type then ${sql.ref(`firm.${field}`)} end`

/**
 * SQL for a firm's items after the import. Items missing from the layout keep their values. If the firm moved between
 * registered and exempt, the missing items are removed, because the firm no longer reports them.
 */
const mergedItems = ({ itemHeadings }: StagedContent) =>
  sql`case when firm.firm_type = staged.firm_type then (firm.items - ${itemHeadings}::text[]) || staged.items else staged.items end`

/**
 * Creates `firm_merge`, which contains the outcome for each staged firm. If a firm moved between registered and exempt,
 * the values in the newer of the two rosters win, regardless of import order.
 */
async function compare(db: Db, content: StagedContent): Promise<void> {
  await sql`
    create temporary table firm_merge on commit drop as
    select staged.crd_number, staged.line, case
      when firm.crd_number is null then 'new'
      when firm.firm_type <> staged.firm_type and exists (
        select from firm_import where firm.firm_type = any(firm_import.firm_types) and firm_import.as_of > ${content.asOf}::date
      ) then 'unchanged'
      when firm.gone_as_of is not null then 'returned'
      when row(${columns(content.fields, 'firm')}) is distinct from row(${columns(content.fields, 'staged')})
        or firm.items is distinct from ${mergedItems(content)} then 'changed'
      else 'unchanged' end as outcome
    from firm_stage staged left join firm using (crd_number)
    where staged.reason is null`.execute(db)
  await sql`create index on firm_merge (crd_number) where outcome <> 'unchanged'`.execute(db)
  await sql`analyze firm_merge`.execute(db)
}

async function countOutcomes(db: Db): Promise<Omit<AppliedCounts, 'gone'>> {
  const { rows } = await sql<Omit<AppliedCounts, 'gone'>>`
    select
      count(*) filter (where outcome = 'new')::integer as new,
      count(*) filter (where outcome = 'returned')::integer as returned,
      count(*) filter (where outcome = 'changed')::integer as changed,
      count(*) filter (where outcome = 'unchanged')::integer as unchanged
    from firm_merge`.execute(db)
  return rows[0] as Omit<AppliedCounts, 'gone'>
}

const changedPairs = sql`
  firm_merge merge
  join firm_stage staged on staged.line = merge.line
  join firm on firm.crd_number = merge.crd_number`

async function recordChanges(db: Db, content: StagedContent): Promise<void> {
  const { importId, asOf } = content
  const pairs = FIRM_FIELD_NAMES.map(
    (field) => sql`(${sql.lit(field)}, to_jsonb(${sql.ref(`firm.${field}`)}), to_jsonb(${valueAfter(field, content)}))`,
  )
  await sql`
    insert into firm_change (crd_number, as_of, field, old_value, new_value, import_id)
    select firm.crd_number, ${asOf}::date, change.field, change.old_value, change.new_value, ${importId}::uuid
    from ${changedPairs}
    cross join lateral (values
      ('gone', to_jsonb(firm.gone_as_of is not null), to_jsonb(false)), ${sql.join(pairs)}
    ) as change (field, old_value, new_value)
    where merge.outcome in ('changed', 'returned') and change.old_value is distinct from change.new_value`.execute(db)
}

async function recordItemChanges(db: Db, content: StagedContent): Promise<void> {
  await sql`
    insert into firm_change (crd_number, as_of, field, old_value, new_value, import_id)
    select firm.crd_number, ${content.asOf}::date, change.heading, change.old_value, change.new_value, ${content.importId}::uuid
    from ${changedPairs}
    cross join lateral (
      select key as heading, earlier.value as old_value, later.value as new_value
      from jsonb_each(firm.items) as earlier full join jsonb_each(${mergedItems(content)}) as later using (key)
    ) as change
    where merge.outcome in ('changed', 'returned') and change.old_value is distinct from change.new_value`.execute(db)
}

async function insertNew(db: Db, { asOf, importId }: StagedContent): Promise<void> {
  await sql`
    insert into firm (${sql.join(FIRM_FIELD_NAMES.map((field) => sql.ref(field)))}, items, as_of, first_as_of, first_import_id)
    select ${columns(FIRM_FIELD_NAMES, 'staged')}, staged.items, ${asOf}::date, ${asOf}::date, ${importId}::uuid
    from firm_merge merge join firm_stage staged on staged.line = merge.line
    where merge.outcome = 'new'
    order by staged.sec_number`.execute(db)
}

async function updateChanged(db: Db, content: StagedContent): Promise<void> {
  const assignments = FIRM_FIELD_NAMES.filter((field) => field !== 'crd_number').map(
    (field) => sql`${sql.ref(field)} = ${valueAfter(field, content)}`,
  )
  await sql`
    update firm
    set ${sql.join(assignments)}, items = ${mergedItems(content)}, as_of = ${content.asOf}::date, gone_as_of = null, gone_at = null
    from firm_merge merge join firm_stage staged on staged.line = merge.line
    where merge.outcome in ('changed', 'returned') and firm.crd_number = merge.crd_number`.execute(db)
}

async function markGone(db: Db, { importId, asOf }: StagedContent): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with marked as (
      update firm set gone_as_of = ${asOf}::date, gone_at = now()
      from firm_leaving where firm.crd_number = firm_leaving.crd_number
      returning firm.crd_number
    ), recorded as (
      insert into firm_change (crd_number, as_of, field, old_value, new_value, import_id)
      select crd_number, ${asOf}::date, 'gone', 'false', 'true', ${importId}::uuid from marked
    )
    select count(*)::integer as count from marked`.execute(db)
  return rows[0]?.count ?? 0
}
