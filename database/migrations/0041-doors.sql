-- Login and password policies of a product line (design 2, "Who is who"); without a row the preset `spec` holds.
create table auth_policy (
  line bigint not null,
  kind text not null check (kind in ('login', 'password')),
  value jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (line, kind)
);
-- The product line that a department belongs to; the platform's own people follow the first one.
create function product_line_of(path text) returns bigint language sql immutable parallel safe
  return coalesce(nullif(split_part(path, '.', 2), '')::bigint, 2);

alter table account_user
  add column mobile text,
  add column country text,
  add column picture text,
  -- The password that was typed at the last sign-in doesn't meet the present rules.
  add column password_weak boolean not null default false,
  add column lock_reason text,
  -- Asked for at each sign-in once something is bound.
  add column mfa_on boolean not null default true,
  add column cancelled_at timestamptz;
create unique index account_user_mobile on account_user (mobile) where mobile is not null;
create index account_user_locked on account_user (locked_until) where locked_until is not null;

create table account_password_history (
  id bigint generated always as identity primary key,
  user_id bigint not null references account_user on delete cascade,
  hash text not null,
  at timestamptz not null default now()
);
create index account_password_history_user on account_password_history (user_id, id desc);
-- TOTP (RFC 6238): the seed sealed with the master key, and the last step that was used. Without `bound_at` it isn't confirmed yet.
create table account_totp (
  user_id bigint primary key references account_user on delete cascade,
  secret_sealed bytea not null,
  bound_at timestamptz,
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);
create table account_recovery_code (
  user_id bigint not null references account_user on delete cascade,
  hash bytea not null,
  used_at timestamptz,
  primary key (user_id, hash)
);
create table account_passkey (
  id bigint generated always as identity primary key,
  user_id bigint not null references account_user on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null default 0,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index account_passkey_user on account_passkey (user_id);

-- When the person last proved to be it, for step-up.
alter table auth_session add column proved_at timestamptz;
create index auth_session_opened on auth_session (user_id, id desc) where ended_at is null;
-- Codes sent by mail or telephone: hashed, few tries, short-lived.
create unlogged table auth_code (
  purpose text not null,
  recipient text not null,
  code_hash bytea not null,
  tries integer not null default 0,
  expires_at timestamptz not null,
  primary key (purpose, recipient)
);
-- What one step of a door hands to the next; only its hash is kept.
create unlogged table auth_ticket (
  hash bytea primary key,
  kind text not null,
  user_id bigint,
  tries integer not null default 0,
  data jsonb not null default '{}',
  expires_at timestamptz not null
);
-- Only the server itself reads these, never a person's transaction.
revoke all on auth_policy, auth_code, auth_ticket, account_password_history, account_totp, account_recovery_code, account_passkey from mooring_app;
