-- Makers' certificate authorities: whose factory certificate names a SN may enrol as that SN.
create table device_factory (
  id bigint generated always as identity primary key,
  name text not null,
  certificate text not null,
  fingerprint text not null,
  subject text not null,
  expires_at timestamptz not null,
  sn_prefix text not null default '',
  product_id bigint references product_product,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  -- Serial numbers of single certificates that count no longer.
  revoked text[] not null default '{}',
  enabled boolean not null,
  accepted integer not null default 0,
  remark text not null default '',
  created_at timestamptz not null default now()
);
create index device_factory_dept on device_factory (dept_path, created_at);
call own_by_path('device_factory');
alter table device_enrol_rule add column only_factory boolean not null default false;
-- Which authority vouched for the one who asks.
alter table device_pending add column factory text;

-- Nonces that a factory certificate has signed: each counts once.
create table device_nonce (
  nonce text primary key,
  expires_at timestamptz not null
);
alter table device_nonce enable row level security;
create policy everything on device_nonce to mooring_system using (true) with check (true);
revoke all on device_nonce from mooring_app;

-- What addresses asked lately, for all processes together. A crash may forget it.
create unlogged table http_rate (
  key text primary key,
  -- When the bucket is empty again, in seconds; `granted` is the answer to the last question.
  full_until double precision not null,
  granted integer not null
);
create index http_rate_until on http_rate (full_until);
alter table http_rate enable row level security;
create policy everything on http_rate to mooring_system using (true) with check (true);
revoke all on http_rate from mooring_app;

-- Of a difference: what it makes of its base.
alter table firmware_package add column full_sha256 text, add column full_size bigint;
create index device_credential_expires on device_credential (expires_at);
