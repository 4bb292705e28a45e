-- A part that was cut off is done again: what its earlier attempts took is kept beside what the last one took.
alter table sync.backfill_part
  add column lost_requests integer not null default 0,
  add column lost_seconds double precision not null default 0;
comment on column sync.backfill_part.requests is 'Requests of its last attempt, so far while it is under way';
comment on column sync.backfill_part.seconds is 'Seconds of its last attempt, so far while it is under way';
comment on column sync.backfill_part.lost_requests is 'Requests of attempts before that, which were cut off or failed';
comment on column sync.backfill_part.lost_seconds is 'Seconds of attempts before that, which were cut off or failed';
