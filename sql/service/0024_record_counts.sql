-- Exact counts without counting: each change of the number of records adds a row here in its own transaction, and nobody waits
-- for anybody. The sum is the count; rows are folded together from time to time.

create table record_count (
  entity text not null,
  id bigint generated always as identity,
  total bigint not null,
  enriched bigint not null,
  from_formadv bigint not null,
  primary key (entity, id),
  constraint entity_is_known check (entity in ('company', 'person'))
);
comment on table record_count is 'Changes of the number of records. The sum over an entity is its present count.';
comment on column record_count.entity is 'company or person.';
comment on column record_count.id is 'Tells the rows apart.';
comment on column record_count.total is 'Records more (or fewer).';
comment on column record_count.enriched is 'Records with a first enrichment more (or fewer).';
comment on column record_count.from_formadv is 'Records known from a Form ADV more (or fewer).';
