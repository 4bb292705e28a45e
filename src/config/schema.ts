import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'

const port = Type.Integer({ minimum: 0, maximum: 65_535 })
const count = Type.Integer({ minimum: 1 })
/** An address to listen on, such as 127.0.0.1:9464, or an empty string. */
const listen = Type.String({ pattern: '^$|^.+:\\d{1,5}$' })
const section = <Settings extends Record<string, TSchema>>(settings: Settings) =>
  Type.Object(settings, { additionalProperties: false })
/** Schema of a setting that contains a map of strings for each kind. */
const byKind = <const Kinds extends readonly string[]>(kinds: Kinds) =>
  Type.Record(Type.Enum([...kinds] as [...Kinds]), Type.Record(Type.String(), Type.String({ minLength: 1 })))

export const Config = section({
  data_dir: Type.String({ minLength: 1 }),
  log: section({ level: Type.Enum(['silent', 'error', 'warn', 'info', 'debug']) }),
  http: section({
    host: Type.String({ minLength: 1 }),
    port,
    allowed_hosts: Type.Array(Type.String({ pattern: '^(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$' })),
    trusted_proxies: Type.Array(Type.String({ minLength: 1 })),
    invalid_keys_per_minute: count,
    metrics_addresses: Type.Array(Type.String({ minLength: 1 })),
  }),
  console: section({
    single_sign_on: section({
      issuer: Type.String({ pattern: '^$|^https?://' }),
      client_id: Type.String(),
      redirect_url: Type.String({ pattern: '^$|^https?://' }),
      talhouse_client: Type.String({ minLength: 1 }),
    }),
  }),
  enrichment: section({
    fresh_days: Type.Number({ minimum: 0 }),
    people_per_company: Type.Integer({ minimum: 10 }),
    articles_per_company: count,
    wikidata: section({ enabled: Type.Boolean(), base_url: Type.String({ pattern: '^https?://[^/]+/?$' }) }),
    news: section({
      gdelt: section({
        enabled: Type.Boolean(),
        base_url: Type.String({ pattern: '^https?://[^/?]+/[^?]*$' }),
        timespan: Type.String({ pattern: '^\\d+(min|h|hours|d|days|w|weeks|months)$' }),
        interval_seconds: Type.Number({ minimum: 0 }),
      }),
      feeds: Type.Array(Type.String({ pattern: '^https?://.*\\{(name|domain)\\}' })),
    }),
    second_opinion: section({
      base_url: Type.String({ pattern: '^$|^https?://' }),
      model: Type.String(),
      timeout_seconds: Type.Number({ exclusiveMinimum: 0 }),
      max_stories: count,
    }),
    reader: section({
      base_url: Type.String({ pattern: '^$|^https?://' }),
      model: Type.String(),
      timeout_seconds: Type.Number({ exclusiveMinimum: 0 }),
      max_pages: count,
    }),
    crawl: section({ pages_per_company: count }),
    rendering: section({
      engine: Type.Enum(['none', 'chromium']),
      executable: Type.String(),
      processes: count,
      pages_per_company: count,
      seconds: Type.Number({ exclusiveMinimum: 0 }),
      requests_per_company: count,
      max_bytes: count,
      megabytes: Type.Integer({ minimum: 256 }),
    }),
    reading: section({
      processes: Type.Integer({ minimum: 0 }),
      seconds: Type.Number({ exclusiveMinimum: 0 }),
      megabytes: Type.Integer({ minimum: 64 }),
    }),
  }),
  privacy: section({ form_adv_names: Type.Enum(['keep', 'drop']) }),
  audit: section({ retention_days: Type.Integer({ minimum: 30 }) }),
  firms: section({ max_gone_share: Type.Number({ minimum: 0, maximum: 1 }), max_file_megabytes: count }),
  work: section({
    concurrency: count,
    deliveries: count,
    grace_seconds: Type.Number({ minimum: 0 }),
    metrics_listen: listen,
  }),
  webhooks: section({
    allow_http: Type.Boolean(),
    allow_private: Type.Boolean(),
    ports: Type.Array(port),
    retention_days: count,
  }),
  fetching: section({
    user_agent: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]*/[^\\s()]+$' }),
    contact: Type.String(),
    connect_to: Type.Array(Type.String({ minLength: 1 })),
    extra_ca_files: Type.Array(Type.String({ minLength: 1 })),
    requests_per_second: Type.Number({ minimum: 0 }),
    own_hosts: Type.Array(Type.String({ minLength: 1 })),
    connections_per_host: count,
    timeout_seconds: Type.Number({ exclusiveMinimum: 0 }),
    max_bytes: count,
    max_redirects: Type.Integer({ minimum: 0 }),
    ports: Type.Array(port),
    cache_bytes: Type.Integer({ minimum: 0 }),
  }),
  demo: section({ companies: Type.Integer({ minimum: 0, maximum: 1000 }) }),
  postgres: section({ port }),
  service: section({
    database_url: Type.String(),
    owner_database_url: Type.String(),
    replica_database_url: Type.String(),
    replica_max_lag_seconds: Type.Number({ exclusiveMinimum: 0 }),
    connections: count,
    statement_timeout_ms: Type.Integer({ minimum: 0 }),
    base_url: Type.String(),
  }),
  warehouse: section({ database_url: Type.String(), owner_database_url: Type.String(), connections: count }),
  snapshot: section({
    url: Type.String({ pattern: '^$|^file:///|^s3://[^/]+' }),
    keep: count,
    part_mb: count,
    formats: Type.Array(Type.Enum(['csv', 'parquet']), { uniqueItems: true }),
    csv_compression: Type.Enum(['gzip', 'zstd']),
    views: Type.Array(Type.String()),
  }),
  backup: section({ url: Type.String({ pattern: '^$|^file:///|^s3://[^/]+' }), keep: count }),
  s3: section({ endpoint: Type.String(), region: Type.String() }),
  pipelines: section({
    concurrency: Type.Integer({ minimum: 1, maximum: 64 }),
    requests_per_second: Type.Number({ minimum: 0 }),
    burst: count,
    timeout_seconds: Type.Number({ exclusiveMinimum: 0 }),
    abandoned_after_seconds: Type.Number({ exclusiveMinimum: 0 }),
    keep_raw: Type.Boolean(),
    nightly: section({
      retry_minutes: Type.Number({ exclusiveMinimum: 0 }),
      max_retry_minutes: Type.Number({ exclusiveMinimum: 0 }),
      deadline_hours: Type.Number({ minimum: 0 }),
      repair_nights: Type.Integer({ minimum: 0 }),
    }),
    firms: section({ max_gone_share: Type.Number({ minimum: 0, maximum: 1 }) }),
    members: section({
      max_gone_share: Type.Number({ minimum: 0, maximum: 1 }),
      full_pull_days: count,
      former_people_days: Type.Number({ minimum: 0 }),
      provenance: Type.Enum(['none', 'companies', 'all']),
    }),
    expectations: section({
      tables: Type.Record(
        Type.String({ pattern: '^[^.]+\\.[^.]+$' }),
        section({
          where: Type.Optional(Type.String({ minLength: 1 })),
          max_age_hours: Type.Optional(Type.Record(Type.String(), Type.Number({ exclusiveMinimum: 0 }))),
          min_rows: Type.Optional(count),
          unique: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
          accepted_values: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
        }),
      ),
      queries: Type.Record(Type.String(), Type.String({ minLength: 1 })),
    }),
    freshness: section({
      max_age_days: Type.Number({ exclusiveMinimum: 0 }),
      by_source: Type.Record(Type.String(), Type.Number({ exclusiveMinimum: 0 })),
      due_soon_days: Type.Number({ minimum: 0 }),
      target_share: Type.Number({ minimum: 0, maximum: 1 }),
    }),
    enrich: section({
      groups: Type.Array(Type.Enum(['company', 'leadership', 'signals']), { uniqueItems: true }),
      units_per_night: Type.Integer({ minimum: 0 }),
      keep_units: Type.Integer({ minimum: 0 }),
      batch: Type.Integer({ minimum: 1, maximum: 1000 }),
      spread: Type.Number({ minimum: 0 }),
      wait_minutes: Type.Number({ minimum: 0 }),
      poll_seconds: Type.Number({ exclusiveMinimum: 0 }),
      grace_minutes: Type.Number({ minimum: 0 }),
    }),
    history: section({ overlap_minutes: Type.Number({ minimum: 0 }), full_pull_days: count }),
    host: section({
      fields: Type.Partial(byKind(['member', 'company', 'person', 'signal', 'event', 'firm'])),
      words: Type.Partial(byKind(['task_status', 'enrichment_status'])),
      totals: Type.Partial(Type.Record(Type.Enum(['members', 'persons', 'history']), Type.Enum(['all', 'page']))),
      limits: Type.Partial(Type.Record(Type.Enum(['members', 'persons', 'history']), Type.Integer({ minimum: 0 }))),
      event_order: Type.Enum(['', 'newest_first', 'oldest_first']),
      firm_fields: Type.Enum(['', 'all', 'typed', 'promised']),
    }),
  }),
  alerts: section({
    name: Type.String(),
    email_from: Type.String(),
    email_to: Type.Array(Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$' })),
    pagerduty_url: Type.String({ pattern: '^https?://' }),
  }),
  lineage: section({
    url: Type.String({ pattern: '^$|^file:///|^https?://' }),
    namespace: Type.String({ minLength: 1 }),
  }),
  tracing: section({
    otlp_url: Type.String({ pattern: '^$|^https?://' }),
    service_name: Type.String({ minLength: 1 }),
    sample_ratio: Type.Number({ minimum: 0, maximum: 1 }),
  }),
  schedule: section({
    cron: Type.String({ minLength: 1 }),
    time_zone: Type.String({ minLength: 1 }),
    pipelines: Type.Array(Type.String({ minLength: 1 })),
    catch_up: Type.Enum(['skip', 'latest', 'all']),
    metrics_listen: listen,
  }),
})

/** Secrets, which can be set only in the environment. */
export const Secrets = section({
  service_api_key: Type.Optional(Type.String()),
  analyst_password: Type.Optional(Type.String()),
  second_opinion_api_key: Type.Optional(Type.String()),
  reader_api_key: Type.Optional(Type.String()),
  alert_webhook_url: Type.Optional(Type.String()),
  alert_smtp_url: Type.Optional(Type.String()),
  pagerduty_routing_key: Type.Optional(Type.String()),
  heartbeat_url: Type.Optional(Type.String()),
  lineage_api_key: Type.Optional(Type.String()),
  webhook_keys: Type.Optional(Type.String()),
  single_sign_on_secret: Type.Optional(Type.String()),
  metrics_token: Type.Optional(Type.String({ minLength: 16 })),
})

/** All settings, validated and frozen. `config/talhouse.yaml` documents them. */
export type Config = Readonly<Static<typeof Config>> & { readonly secrets: Readonly<Static<typeof Secrets>> }
