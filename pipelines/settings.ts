/** The settings of `pipelines` in config/talhouse.yaml, where each is explained. */
export interface PipelineSettings {
  readonly concurrency: number
  readonly requests_per_second: number
  readonly burst: number
  readonly timeout_seconds: number
  readonly abandoned_after_seconds: number
  readonly firms: { readonly max_gone_share: number }
  readonly history: { readonly overlap_minutes: number }
  readonly members: { readonly max_gone_share: number; readonly full_pull_days: number }
}
