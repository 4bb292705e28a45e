-- Who is gone is told by firms, not by the keys that pages are ordered by: one firm may take over the number of another that went.
-- A walk that is under way knows keys alone: it ends here, proves nothing, and the next one begins.
delete from sync.range_state where walk_id in (select id from sync.walk where closed_at is null);
update sync.walk set closed_at = now() where closed_at is null;
truncate sync.walk_page;

alter table sync.walk_page
  add column firm_ids text[] collate "C" not null,
  add column unidentified_keys text[] collate "C" not null;
comment on table sync.walk_page is 'What a walk has seen, one row a page: its keys prove completeness, its firms show who is gone';
comment on column sync.walk_page.firm_ids is 'Firms of the page';
comment on column sync.walk_page.unidentified_keys is 'Keys of records that do not fit and do not tell which firm they are: the firm with that number is there';
