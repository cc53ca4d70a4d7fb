-- What was refused in a minute, counted; full minutes become rows of the log.
create table audit_refusal (
  minute timestamptz not null,
  -- Whom it was tried as, or who it was.
  account text not null,
  ip text not null,
  call text not null,
  result text not null,
  actor_id bigint not null default 0,
  platform text,
  n integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (minute, account, ip, call, result, actor_id)
);
revoke all on audit_refusal from mooring_app;

-- Sessions that came out of one sign-in end together.
alter table auth_session add column family bigint;
create index auth_session_family on auth_session (family) where family is not null and ended_at is null;
