-- Search by name and domain tolerates typing errors.
create extension if not exists pg_trgm;
