-- How many requests a client was granted in the present minute. Every serving process takes its share from here, so the
-- limit holds for all of them together. Losing it in a crash costs nothing: hence unlogged.
create unlogged table rate_window (
  client_id text not null,
  rate_class text not null,
  ends_at timestamptz not null,
  used integer not null,
  granted integer not null,
  constraint rate_window_of_client primary key (client_id, rate_class),
  constraint rate_class_is_known check (rate_class in ('read', 'submit'))
) with (fillfactor = 50);
comment on table rate_window is 'The present rate window of each client and class of request, shared by all serving processes.';
comment on column rate_window.client_id is 'Whose window it is.';
comment on column rate_window.rate_class is 'read or submit.';
comment on column rate_window.ends_at is 'When the window ends; the next request after that starts a new one.';
comment on column rate_window.used is 'Requests granted in it so far.';
comment on column rate_window.granted is 'Requests granted by the latest lease.';
