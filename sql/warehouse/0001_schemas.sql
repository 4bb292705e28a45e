create schema warehouse;
comment on schema warehouse is 'What analysts read: firms, companies, persons, their history and freshness.';

create schema sync;
comment on schema sync is 'What the pipelines remember: runs, remaining ranges, watermarks. Not for analysts.';
