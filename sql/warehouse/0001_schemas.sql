create schema warehouse;
comment on schema warehouse is 'Data for analysts: firms, companies, people, their history and freshness';

create schema sync;
comment on schema sync is 'State of the pipelines: runs, walks, watermarks. Not readable by analysts';
