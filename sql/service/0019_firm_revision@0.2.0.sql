-- Clients that keep a copy of all firms can tell from one page whether their copy is current.

alter table firm_dataset add column revision uuid not null default gen_random_uuid();
comment on column firm_dataset.revision is 'Identifies the current state of all firms. Replaced whenever version is incremented, and unlike version never repeats, even after a backup has been restored';
