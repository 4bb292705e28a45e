-- What is known about the host that the pipelines read from.

create table sync.host_profile (
  url text primary key,
  detected jsonb not null,
  overrides jsonb not null,
  detected_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
comment on table sync.host_profile is 'What each host names and pages differently, detected when it is first needed; see docs/hosts.md';
comment on column sync.host_profile.url is 'Address of the host';
comment on column sync.host_profile.detected is 'Detected names of fields, status words, paging and orders';
comment on column sync.host_profile.overrides is 'Setting pipelines.host when it was last applied';
comment on column sync.host_profile.detected_at is 'First contact';
comment on column sync.host_profile.changed_at is 'When the profile last changed';

create table warehouse.schema_drift (
  url text not null,
  entity text not null,
  field text not null,
  type text not null,
  first_seen_at timestamptz not null default now(),
  primary key (url, entity, field)
);
comment on table warehouse.schema_drift is 'Fields of the service that no column stores. Their values are in the column extra of their record';
comment on column warehouse.schema_drift.url is 'Address of the service';
comment on column warehouse.schema_drift.entity is 'Record kind: member, company, person, signal, event or firm';
comment on column warehouse.schema_drift.field is 'Name of the field';
comment on column warehouse.schema_drift.type is 'JSON type of its first value';
comment on column warehouse.schema_drift.first_seen_at is 'When it was first received';
