-- The table provides exact record counts without scans or lock contention. Each transaction that changes the number of
-- records inserts a row, and the sum of the rows is the count. Some of these transactions also merge rows.

create table record_count (
  entity text not null check (entity in ('company', 'person')),
  id bigint generated always as identity,
  total bigint not null,
  enriched bigint not null,
  from_formadv bigint not null,
  primary key (entity, id)
);
comment on table record_count is 'Changes to the number of records. The sum of an entity''s rows is its current count';
comment on column record_count.entity is 'company or person';
comment on column record_count.id is 'Row id';
comment on column record_count.total is 'Change in the number of records';
comment on column record_count.enriched is 'Change in the number of records enriched at least once';
comment on column record_count.from_formadv is 'Change in the number of records linked to Form ADV';
