-- The key with which secrets at rest are sealed, sealed itself with the master key, once that was replaced. None: it is the master key.
create table installation_key (
  one boolean primary key default true check (one),
  wrapped bytea not null,
  made_at timestamptz not null default now()
);
revoke all on installation_key from mooring_app, mooring_system;
