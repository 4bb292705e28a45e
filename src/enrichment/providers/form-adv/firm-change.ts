/** One field of one adviser that differs from the roster, or the filing, before: a row of `firm_change`. */
export interface FirmChange {
  crd_number: number
  /** A typed field's name, the heading of another column of the roster, `schedule_a_officers`, or `gone`. */
  field: string
  old_value: unknown
  new_value: unknown
  /** Day of the roster or filing that had the new value: YYYY-MM-DD. */
  as_of: string
}

export interface FirmChangeOptions {
  /** The adviser's name, for the headline. */
  name: string
  /** ISO 8601. */
  observedAt: string
}
