-- Keys for other systems. Only the SHA-256 is stored; the row counts its own use, so that all processes limit it together.
create table account_api_token (
  id bigint generated always as identity primary key,
  name text not null,
  token_hash bytea not null unique,
  hint text not null,
  user_id bigint not null references account_user on delete cascade,
  dept_path text collate "C" not null,
  platform text not null check (platform in ('centre', 'manager')),
  scopes text[] not null,
  addresses text[] not null default '{}',
  per_minute integer not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_ip text,
  minute_at timestamptz not null default 'epoch',
  minute_used integer not null default 0,
  created_at timestamptz not null default now()
) with (fillfactor = 70);
create index account_api_token_user on account_api_token (user_id, created_at desc);
call own_by_path('account_api_token');

-- Where other systems want to hear of changes, signed as Standard Webhooks says.
create table settings_webhook (
  id bigint generated always as identity primary key,
  name text not null,
  url text not null,
  secret_sealed bytea not null,
  -- `<life>.<event>`, `<life>.*` or `*`.
  events text[] not null,
  enabled boolean not null default true,
  failing_since timestamptz,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now()
);
create index settings_webhook_dept on settings_webhook (dept_path);
call own_by_path('settings_webhook');
create table settings_webhook_delivery (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references settings_webhook on delete cascade,
  -- The same for each try and each replay, so that the receiver can tell a repeated one.
  event_id text not null,
  event text not null,
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'done', 'failed')),
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  status integer,
  error text,
  took_ms integer,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index settings_webhook_delivery_due on settings_webhook_delivery (next_at) where state in ('waiting', 'sending');
create index settings_webhook_delivery_list on settings_webhook_delivery (webhook_id, created_at desc, id desc);
call own_by_path('settings_webhook_delivery');

-- Each move of a lifecycle that somebody wants to hear of becomes a delivery, in the transaction that moved it.
create function webhook_deliveries() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from settings_webhook where enabled) then return null; end if;
  insert into settings_webhook_delivery (webhook_id, event_id, event, body, dept_path)
  select w.id, 'evt_' || replace(gen_random_uuid()::text, '-', ''), c.life || '.' || c.event,
    jsonb_build_object('type', c.life || '.' || c.event, 'timestamp', to_char(c.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'data', jsonb_build_object('life', c.life, 'event', c.event, 'id', c.row_id, 'from', c.from_state, 'to', c.to_state, 'dept', c.dept_path))::text,
    w.dept_path
  from changed c join settings_webhook w on w.enabled and c.dept_path >= w.dept_path and c.dept_path < w.dept_path || '~'
    and w.events && array['*', c.life || '.*', c.life || '.' || c.event]
  where c.life not in ('webhook');
  return null;
end $$;
revoke all on function webhook_deliveries from public;
create trigger webhook_deliveries after insert on state_change referencing new table as changed for each statement execute function webhook_deliveries();

-- People of an outside identity provider.
create table account_identity (
  id bigint generated always as identity primary key,
  user_id bigint not null references account_user on delete cascade,
  issuer text not null,
  subject text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  unique (issuer, subject)
);
revoke all on account_identity from mooring_app;
