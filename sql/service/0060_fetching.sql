-- What the worker processes tell each other about the hosts they fetch from. Losing it in a crash costs a host one request that comes early,
-- and its robots.txt one reading: hence unlogged.

create unlogged table host_rate_limit (
  host text collate "C" primary key,
  next_at timestamptz not null
) with (fillfactor = 50);
comment on table host_rate_limit is 'When each host of the web may be asked next, by whichever process: a turn is taken by moving it on.';
comment on column host_rate_limit.host is 'Host name, as in the address.';
comment on column host_rate_limit.next_at is 'When the next turn comes. Far off where the host asked to be left alone (Retry-After).';

create unlogged table robots_file (
  origin text collate "C" primary key,
  rules text,
  expires_at timestamptz not null
);
comment on table robots_file is 'The robots.txt of each site, so that it is read once a day and not once for each process.';
comment on column robots_file.origin is 'Scheme, host and port.';
comment on column robots_file.rules is 'Its text, up to 500 KiB. Null: there is none, everything may be read.';
comment on column robots_file.expires_at is 'When it has to be read anew.';
