create schema warehouse;
comment on schema warehouse is 'Data for analysts: firms, companies and people, with their history and freshness';

create schema sync;
comment on schema sync is 'State of the pipelines, such as runs, walks and watermarks. Analysts cannot read this schema';
