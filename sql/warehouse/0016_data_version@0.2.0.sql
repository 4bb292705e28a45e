-- A pull of unchanged data ends after its first page.

alter table sync.walk add column data_version uuid;
comment on column sync.walk.data_version is 'Identifies the state of the service''s data that all pages of the walk have shown, and how it was read. Null if the service reports none, if pages differed, or if the walk has ended incomplete';
