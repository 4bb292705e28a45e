-- Crawl state shared by all worker processes. The tables are unlogged, because losing them in a PostgreSQL crash causes
-- at most one early request and one extra fetch of robots.txt per host.

create unlogged table host_rate_limit (
  host text collate "C" primary key,
  next_at timestamptz not null
) with (fillfactor = 50);
comment on table host_rate_limit is 'Request slots for each host. A process reserves a slot by advancing next_at';
comment on column host_rate_limit.host is 'Host name, as written in the URL';
comment on column host_rate_limit.next_at is 'Time of the next free slot. A Retry-After header postpones this time';

create unlogged table robots_file (
  origin text collate "C" primary key,
  rules text,
  expires_at timestamptz not null
);
comment on table robots_file is 'Cache of robots.txt files, which are fetched once a day for all processes';
comment on column robots_file.origin is 'Scheme, host and port';
comment on column robots_file.rules is 'Content of the file, up to 500 KiB. Null if there is no robots.txt, in which case all URLs are allowed';
comment on column robots_file.expires_at is 'Time after which the file is fetched again';
