-- Crawl state shared by all worker processes. Unlogged: a crash of PostgreSQL costs a host one early request and one extra read
-- of its robots.txt.

create unlogged table host_rate_limit (
  host text collate "C" primary key,
  next_at timestamptz not null
) with (fillfactor = 50);
comment on table host_rate_limit is 'Rate limit per host. A process reserves its slot by advancing next_at';
comment on column host_rate_limit.host is 'Host name, as in the URL';
comment on column host_rate_limit.next_at is 'Next free slot. Far in the future after a Retry-After';

create unlogged table robots_file (
  origin text collate "C" primary key,
  rules text,
  expires_at timestamptz not null
);
comment on table robots_file is 'Cache of robots.txt files, read once a day for all processes';
comment on column robots_file.origin is 'Scheme, host and port';
comment on column robots_file.rules is 'Content, up to 500 KiB. Null if there is none, so everything is allowed';
comment on column robots_file.expires_at is 'When to read it again';
