-- Messages to terminals that must arrive: repeated until answered (design 3, "Commands are durable"). Answered offers, cancels
-- and configs are deleted, since their own tables tell their story; commands stay.
create table gateway_outbox (
  id bigint generated always as identity primary key,
  -- Message id on the wire; a terminal applies it once.
  key text not null unique,
  device_id bigint not null references device on delete cascade,
  sn text not null,
  dept_path text collate "C" not null,
  topic text not null check (topic in ('offer', 'cancel', 'command', 'config')),
  kind text not null,
  data jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'done', 'failed', 'expired', 'withdrawn')),
  attempts integer not null default 0,
  -- 'infinity' while the terminal is absent.
  next_at timestamptz not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  answered_at timestamptz,
  expires_at timestamptz not null,
  reason text,
  message text,
  output jsonb,
  actor_id bigint,
  actor_name text
);
create index gateway_outbox_due on gateway_outbox (next_at) where state in ('waiting', 'sent') and next_at < 'infinity';
create index gateway_outbox_parked on gateway_outbox (device_id) where state in ('waiting', 'sent');
create index gateway_outbox_expiry on gateway_outbox (expires_at) where state in ('waiting', 'sent');
create index gateway_outbox_commands on gateway_outbox (device_id, created_at, id) where topic = 'command';
call own_by_path('gateway_outbox');

-- Ids of events and log pieces that were taken already: terminals repeat them until our ack reaches them.
create table gateway_recent (
  device_id bigint not null,
  key text not null,
  at timestamptz not null default now(),
  primary key (device_id, key)
);
create index gateway_recent_at on gateway_recent (at);

-- Messages that couldn't be taken, with the reason.
create table gateway_refused (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  sn text not null,
  kind text not null,
  reason text not null,
  bytes integer not null,
  payload text not null
);
create index gateway_refused_at on gateway_refused (at);

-- Connections to cut: written with the revocation, read by the processes that hold connections.
create table gateway_cut (
  id bigint generated always as identity primary key,
  sn text not null,
  at timestamptz not null default now()
);

-- Keys of the device authority and of releases. The roots' private parts lie outside, in a file that may be taken away.
create table gateway_key (
  id text primary key,
  role text not null check (role in ('deviceRoot', 'deviceIssuer', 'releaseRoot', 'release')),
  public_key text not null,
  certificate text,
  -- Signature of the root over a release key.
  signature text,
  private_key_sealed bytea,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);
alter table gateway_recent enable row level security;
alter table gateway_refused enable row level security;
alter table gateway_cut enable row level security;
alter table gateway_key enable row level security;
create policy everything on gateway_recent to mooring_system using (true) with check (true);
create policy everything on gateway_refused to mooring_system using (true) with check (true);
create policy everything on gateway_cut to mooring_system using (true) with check (true);
create policy everything on gateway_key to mooring_system using (true) with check (true);
revoke all on gateway_recent, gateway_refused, gateway_key from mooring_app;
-- A revocation by a person is written in their own transaction.
revoke select, update, delete on gateway_cut from mooring_app;
create policy revoking on gateway_cut for insert to mooring_app with check (true);
