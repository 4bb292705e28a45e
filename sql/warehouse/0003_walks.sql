-- A walk is one pull of a stream by keyset pagination. Its state is a set of key ranges instead of one cursor, because
-- several workers pull concurrently and each page advances one range.

create table sync.walk (
  id bigint primary key generated always as identity,
  stream text not null,
  run_id bigint not null,
  key_order text not null default 'bytes' check (key_order in ('bytes', 'foreign')),
  ceiling text collate "C",
  total_at_start bigint,
  data_as_of date,
  incomplete_reasons text[] not null default '{}',
  keyless bigint not null default 0,
  ranges integer not null default 1,
  started_at timestamptz not null default now(),
  closed_at timestamptz
);
create unique index walk_open_key on sync.walk (stream) where closed_at is null;
comment on table sync.walk is 'Pulls by keyset pagination, from a fixed highest key down to the lowest. If a run''s process dies, the next run resumes the walk';
comment on column sync.walk.id is 'Walk id';
comment on column sync.walk.stream is 'Name of the stream, such as firms';
comment on column sync.walk.run_id is 'Run that last worked on the walk';
comment on column sync.walk.key_order is 'bytes: the service sorts keys in byte order, so ranges can be split. foreign: the service uses another sort order, so one worker reads the pages sequentially';
comment on column sync.walk.ceiling is 'Highest key when the walk started. The next walk pulls higher keys';
comment on column sync.walk.total_at_start is 'total_count on the first page';
comment on column sync.walk.data_as_of is 'Date of the newest data reported by the service';
comment on column sync.walk.incomplete_reasons is 'Reasons the walk may be incomplete';
comment on column sync.walk.keyless is 'Number of records without a usable key';
comment on column sync.walk.ranges is 'Number of ranges so far, which is also the index of the next range';
comment on column sync.walk.started_at is 'Start of the walk';
comment on column sync.walk.closed_at is 'Time at which the walk ended or was found to be stale. Null while the walk is open';

create table sync.range_state (
  walk_id bigint not null,
  number integer not null,
  floor text collate "C",
  below text collate "C",
  revision integer not null default 0,
  closed boolean not null default false,
  pages integer not null default 0,
  inserted integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  quarantined integer not null default 0,
  primary key (walk_id, number)
) with (fillfactor = 50);
comment on table sync.range_state is 'Key ranges of a walk, from floor (inclusive) to below (exclusive). A range is advanced in the transaction that writes its pages';
comment on column sync.range_state.walk_id is 'Walk';
comment on column sync.range_state.number is 'Index of the range within the walk';
comment on column sync.range_state.floor is 'Lowest key, inclusive. Null if unbounded';
comment on column sync.range_state.below is 'Upper bound of the next page, exclusive. Null if unbounded';
comment on column sync.range_state.revision is 'Incremented by each change. A page is committed only if the revision has not changed since the page was requested';
comment on column sync.range_state.closed is 'Whether the range is finished';
comment on column sync.range_state.pages is 'Number of pages ingested by the current run';
comment on column sync.range_state.inserted is 'Number of inserted rows on the ingested pages';
comment on column sync.range_state.updated is 'Number of changed rows on the ingested pages';
comment on column sync.range_state.unchanged is 'Number of unchanged rows on the ingested pages';
comment on column sync.range_state.quarantined is 'Number of rejected records on the ingested pages';

-- The table is unlogged to save WAL. If a PostgreSQL crash empties it, the walk is treated as incomplete and does not
-- mark firms as gone.
create unlogged table sync.walk_page (
  walk_id bigint not null,
  keys text[] collate "C" not null,
  firm_ids text[] collate "C" not null,
  unidentified_keys text[] collate "C" not null
);
create index walk_page_by_walk on sync.walk_page (walk_id);
comment on table sync.walk_page is 'Keys and firm ids that a walk has read, one row per page. The keys are used to verify that the walk is complete. Live firms whose id is missing are then marked as gone';
comment on column sync.walk_page.walk_id is 'Walk';
comment on column sync.walk_page.keys is 'Keys on the page';
comment on column sync.walk_page.firm_ids is 'Firm ids on the page. Keys do not identify missing firms, because a new firm can be assigned the key of a firm that has left';
comment on column sync.walk_page.unidentified_keys is 'Keys of rejected records without a readable firm id. A live firm with such a key is not marked as gone';
