-- After the tries that are free each further one waits, twice as long each time.
alter table auth_attempt add column blocked_until timestamptz;
