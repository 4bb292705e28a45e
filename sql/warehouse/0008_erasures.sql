-- Erasures performed by the service, which the pipelines apply to the warehouse and its snapshots.

create table sync.erasure_feed (
  id boolean primary key default true check (id),
  hmac_key text not null,
  position bigint not null,
  run_id bigint not null,
  moved_at timestamptz not null default now()
);
comment on table sync.erasure_feed is 'Position in the service''s erasure feed, in a single row. All erasures up to this position have been applied to the warehouse';
comment on column sync.erasure_feed.id is 'Always true';
comment on column sync.erasure_feed.hmac_key is 'HMAC key for the hashes in the feed. If the feed returns a different key, the feed belongs to another service and is read from the start';
comment on column sync.erasure_feed.position is 'Position of the most recently applied erasure';
comment on column sync.erasure_feed.run_id is 'Run that applied the latest erasure';
comment on column sync.erasure_feed.moved_at is 'Time at which the latest erasure was applied';

create table sync.suppressed_person (
  mac text not null,
  erasure_id bigint not null,
  position bigint not null,
  primary key (mac, erasure_id)
);
create index suppressed_person_by_erasure on sync.suppressed_person (erasure_id);
comment on table sync.suppressed_person is 'Keyed hashes that identify people who must not be stored again. Every transaction that writes people takes a share lock on this table, so that people erased after they were fetched are not stored';
comment on column sync.suppressed_person.mac is 'HMAC-SHA-256, keyed with erasure_feed.hmac_key, of one of the person''s identifiers: address hash, person_id, company and name, or profile URL';
comment on column sync.suppressed_person.erasure_id is 'Erasure id assigned by the service';
comment on column sync.suppressed_person.position is 'Position of the erasure in the feed. A snapshot''s manifest contains the position up to which erasures have been applied to it';
