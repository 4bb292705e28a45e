/** A row of `firm_change`, which records one field that differs from the previous roster or filing. */
export interface FirmChange {
  crd_number: number
  /** The changed field: a typed field, the heading of another roster column, `schedule_a_officers` or `gone`. */
  field: string
  old_value: unknown
  new_value: unknown
  /** Date of the roster or filing with the new value: YYYY-MM-DD. */
  as_of: string
}

export interface FirmChangeOptions {
  /** The adviser's name, for the headline. */
  name: string
  /** Time of the lookup: ISO 8601. */
  observedAt: string
}
