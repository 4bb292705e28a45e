import { sql } from 'kysely'
import type { Actor } from '../audit/audit-log.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { linkFirms } from '../companies/link-firms.ts'
import { FIRM_FIELD_NAMES } from '../contract/firm-fields.ts'
import type { Db } from '../db/database.ts'
import { OFFICERS_FIELD } from '../db/firm-tables.ts'
import { AppError } from '../lib/errors.ts'
import { renewDataset } from './firm-dataset.ts'
import { lockImports } from './lock-imports.ts'

/** The import that was undone, and the numbers of firms removed and restored. */
export interface UndoReport {
  import_id: string
  file: string
  as_of: string
  removed: number
  restored: number
}

/**
 * Undoes the most recent roster import. Reverts the import's changes and deletes the firms that the import added, so
 * that older rosters can be imported again. Each further call undoes the preceding import. Throws `not_found` if there
 * is no import.
 */
export async function undoLatestImport(db: Db, actor: Actor): Promise<UndoReport> {
  return await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    await lockImports(trx)
    const latest = await trx
      .selectFrom('firm_import')
      .select(['id', 'file', 'as_of'])
      .orderBy('finished_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!latest) throw new AppError('not_found', 'No roster has been imported.')
    const restored = await restoreFirms(trx, latest.id)
    await forgetFormerNames(trx, latest.id)
    const { numDeletedRows } = await trx.deleteFrom('firm').where('first_import_id', '=', latest.id).executeTakeFirst()
    await trx.deleteFrom('firm_change').where('import_id', '=', latest.id).execute()
    await trx.deleteFrom('firm_quarantine').where('import_id', '=', latest.id).execute()
    await trx.deleteFrom('firm_import').where('id', '=', latest.id).execute()
    await sql`update firm_dataset set as_of = (select max(as_of) from firm_import)`.execute(trx)
    await renewDataset(trx)
    await linkFirms(trx)
    const report = {
      import_id: latest.id,
      file: latest.file,
      as_of: latest.as_of,
      removed: Number(numDeletedRows),
      restored,
    }
    await recordAudit(trx, actor, { action: 'firms.undo_import', target: latest.file, details: report })
    return report
  })
}

const FIELDS = FIRM_FIELD_NAMES.filter((field) => field !== 'crd_number')

/** Restores the values that firms had before the import. Returns the number of restored firms. */
async function restoreFirms(trx: Db, importId: string): Promise<number> {
  const columns = (of: string) => sql.join(FIELDS.map((field) => sql.ref(of ? `${of}.${field}` : field)))
  const { numAffectedRows } = await sql`
    with change as (select * from firm_change where import_id = ${importId}),
    patch as (
      select crd_number,
        coalesce(jsonb_object_agg(field, old_value) filter (where field = any(${FIELDS}::text[])), '{}') as fields,
        coalesce(jsonb_object_agg(field, old_value) filter (where field <> all (${[...FIELDS, 'gone', OFFICERS_FIELD]}::text[])), '{}') as items,
        bool_or(field = 'gone' and old_value = 'false') as has_gone, bool_or(field = 'gone' and old_value = 'true') as has_returned
      from change group by crd_number
    ),
    earlier as (
      select firm.crd_number,
        coalesce(max(past.as_of) filter (where past.field not in ('gone', ${OFFICERS_FIELD})), firm.first_as_of) as as_of,
        max(past.as_of) filter (where past.field = 'gone' and past.new_value = 'true') as gone_as_of
      from firm join patch using (crd_number)
      left join firm_change past on past.crd_number = firm.crd_number and past.import_id <> ${importId}
      group by firm.crd_number
    )
    update firm set (${columns('')}) = (select ${columns('was')} from jsonb_populate_record(firm, patch.fields) was),
      items = (firm.items - array(select jsonb_object_keys(patch.items))) || jsonb_strip_nulls(patch.items),
      as_of = earlier.as_of,
      gone_as_of = case when patch.has_gone then null when patch.has_returned then earlier.gone_as_of else firm.gone_as_of end,
      gone_at = case when patch.has_gone then null when patch.has_returned then now() else firm.gone_at end
    from patch join earlier using (crd_number)
    where firm.crd_number = patch.crd_number`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/**
 * Keeps only the former names that other imports replaced. Without this filter, restoring a firm would leave the undone
 * import's names among its former names.
 */
async function forgetFormerNames(trx: Db, importId: string): Promise<void> {
  const isName = sql`field in ('legal_name', 'business_name')`
  await sql`
    update firm set former_names = nullif(array(
      select name from unnest(firm.former_names) with ordinality as former (name, place)
      where to_jsonb(name) in (
        select old_value from firm_change where crd_number = firm.crd_number and import_id <> ${importId} and ${isName}
      )
      order by place
    ), '{}')
    where crd_number in (select crd_number from firm_change where import_id = ${importId} and ${isName})`.execute(trx)
}
