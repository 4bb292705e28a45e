-- Erasures at the service, which the warehouse and its snapshots follow.

create table sync.erasure_feed (
  id boolean primary key default true check (id),
  hmac_key text not null,
  position bigint not null,
  run_id bigint not null,
  moved_at timestamptz not null default now()
);
comment on table sync.erasure_feed is 'Position in the service''s feed of erasures, in a single row: everything up to it has been erased from the warehouse';
comment on column sync.erasure_feed.id is 'Always true';
comment on column sync.erasure_feed.hmac_key is 'Key of the entries, from the feed. Another key means another service, whose feed is read from the start';
comment on column sync.erasure_feed.position is 'Position of the last applied erasure';
comment on column sync.erasure_feed.run_id is 'Run that applied it';
comment on column sync.erasure_feed.moved_at is 'When it was applied';

create table sync.suppressed_person (
  mac text not null,
  erasure_id bigint not null,
  position bigint not null,
  primary key (mac, erasure_id)
);
create index suppressed_person_by_erasure on sync.suppressed_person (erasure_id);
comment on table sync.suppressed_person is 'People whom no pull may store again, as keyed hashes. Writers of people share-lock the table, so that none stores what it fetched before an erasure';
comment on column sync.suppressed_person.mac is 'HMAC-SHA-256 under erasure_feed.hmac_key of an identifier: address hash, person_id, company and name, or profile URL';
comment on column sync.suppressed_person.erasure_id is 'Erasure at the service';
comment on column sync.suppressed_person.position is 'Position of the erasure in the feed; snapshots record up to which position they are erased';
