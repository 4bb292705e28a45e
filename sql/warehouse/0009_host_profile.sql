-- Detected properties of the hosts that the pipelines read from.

create table sync.host_profile (
  url text primary key,
  detected jsonb not null,
  overrides jsonb not null,
  detected_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
comment on table sync.host_profile is 'Naming conventions and pagination of each host, detected when first needed. See docs/hosts.md';
comment on column sync.host_profile.url is 'Base URL of the host';
comment on column sync.host_profile.detected is 'Detected field names, status terms, pagination and sort orders';
comment on column sync.host_profile.overrides is 'Value of the `pipelines.host` setting when it was last applied';
comment on column sync.host_profile.detected_at is 'Time at which the host was first used';
comment on column sync.host_profile.changed_at is 'Time at which the profile last changed';

create table warehouse.schema_drift (
  url text not null,
  entity text not null,
  field text not null,
  type text not null,
  first_seen_at timestamptz not null default now(),
  primary key (url, entity, field)
);
comment on table warehouse.schema_drift is 'Fields from the service for which the warehouse has no column. Their values are stored in `extra`';
comment on column warehouse.schema_drift.url is 'Base URL of the service';
comment on column warehouse.schema_drift.entity is 'Record kind: member, company, person, signal, event or firm';
comment on column warehouse.schema_drift.field is 'Name of the field';
comment on column warehouse.schema_drift.type is 'JSON type of the field''s first value';
comment on column warehouse.schema_drift.first_seen_at is 'Time at which the field was first received';
