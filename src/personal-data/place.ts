/**
 * A part of a database that contains personal data: which rows may name a person, and how to remove the person from
 * them. The eraser, the dry run, the export, the warehouse's erasures pipeline and the tests all use `SERVICE_PLACES`
 * and `WAREHOUSE_PLACES`.
 */
export interface Place {
  /** Table name, qualified with the schema for warehouse tables. */
  table: string
  /** Primary key columns. */
  key: readonly string[]
  /**
   * SQL expression for the domain of the row's company. Without this expression, names match regardless of the company.
   */
  company?: string
  /** Columns that identify the person to whom a row belongs. */
  owner?: { person_id?: string; email_hash?: string }
  /** Text and JSON columns in which a whole string may be a person's name. */
  values?: readonly string[]
  /** Text and JSON columns whose sentences may mention a person. */
  prose?: readonly string[]
  /** Other columns with personal data, which are deleted with the row or set to null when the row is redacted. */
  removed?: readonly string[]
  /** Restricts the place to rows with these column values. */
  when?: Readonly<Record<string, string>>
  /** `delete` deletes the row, and `redact` replaces mentions of the person with `[erased]`. */
  removal: 'delete' | 'redact'
  /**
   * True if each row belongs to a single client. Such rows are omitted from the counts in API responses to other
   * clients.
   */
  isOfClient?: true
  /** True if the rows are kept when `privacy.form_adv_names` is `keep`. */
  isFiling?: true
}

/** A place in a view. A view's place does not need a key, because rows of views are stored only in snapshots. */
export type ViewPlace = Omit<Place, 'key'>
