import type { HostOverrides } from '../host-profile/profile.ts'

/** The `pipelines` settings, documented in config/talhouse.yaml. */
export interface PipelineSettings {
  readonly concurrency: number
  readonly requests_per_second: number
  readonly burst: number
  readonly timeout_seconds: number
  readonly abandoned_after_seconds: number
  readonly keep_raw: boolean
  readonly nightly: {
    readonly retry_minutes: number
    readonly max_retry_minutes: number
    readonly deadline_hours: number
    readonly repair_nights: number
  }
  readonly firms: { readonly max_gone_share: number }
  readonly host: HostOverrides
  readonly history: { readonly overlap_minutes: number; readonly full_pull_days: number }
  readonly freshness: {
    readonly max_age_days: number
    readonly by_source: Readonly<Record<string, number>>
    readonly due_soon_days: number
    readonly target_share: number
  }
  readonly enrich: {
    readonly groups: readonly ('company' | 'leadership' | 'signals')[]
    readonly units_per_night: number
    readonly keep_units: number
    readonly batch: number
    readonly spread: number
    readonly wait_minutes: number
    readonly poll_seconds: number
    readonly grace_minutes: number
  }
  readonly expectations: {
    /** Expectations by table or view, such as `warehouse.firm`. */
    readonly tables: Readonly<
      Record<
        string,
        {
          /** SQL condition that selects the rows to check. @default all rows */
          readonly where?: string
          /** Maximum age in hours of the newest value, by column. */
          readonly max_age_hours?: Readonly<Record<string, number>>
          readonly min_rows?: number
          /** Unique columns. The columns of a composite key are separated by commas. */
          readonly unique?: readonly string[]
          readonly accepted_values?: Readonly<Record<string, readonly string[]>>
        }
      >
    >
    /** SQL queries that return one row per violation, by name. */
    readonly queries: Readonly<Record<string, string>>
  }
  readonly members: {
    readonly max_gone_share: number
    readonly full_pull_days: number
    readonly former_people_days: number
    readonly provenance: 'none' | 'companies' | 'all'
  }
}
