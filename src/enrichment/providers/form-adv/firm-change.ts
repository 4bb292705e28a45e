/** A row of `firm_change`: one field that differs from the previous roster or filing. */
export interface FirmChange {
  crd_number: number
  /** A typed field, another roster column by its heading, `schedule_a_officers`, or `gone`. */
  field: string
  old_value: unknown
  new_value: unknown
  /** Day of the roster or filing with the new value: YYYY-MM-DD. */
  as_of: string
}

export interface FirmChangeOptions {
  /** For the headline. */
  name: string
  /** ISO 8601. */
  observedAt: string
}
