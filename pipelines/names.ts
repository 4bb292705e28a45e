/** The names of the pipelines in `registry.ts`, for shell completion, which does not import the pipelines. */
export const PIPELINE_NAMES: readonly string[] = [
  'erasures',
  'tal-members',
  'firms',
  'enrich-due',
  'refresh-members',
  'staleness',
  'history',
  'repair',
  'spending',
  'expectations',
  'export',
  'nightly',
]
