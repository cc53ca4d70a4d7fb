-- Search by a part of an SN or name (design 1, "Speed by design"). A trusted extension: the database's owner may create it.
create extension if not exists pg_trgm;

create table product_product (
  id bigint generated always as identity primary key,
  code text not null unique,
  name text not null,
  category text not null,
  firm text not null default '',
  industry text not null default '',
  networks text[] not null default '{}',
  package_kinds text[] not null default '{}',
  heartbeat_seconds integer not null default 300,
  remark text not null default '',
  publish_status text not null default '0' check (publish_status in ('0', '1')),
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now()
);
create index product_product_dept on product_product (dept_path);
call inherit_by_path('product_product');

create table device (
  id bigint generated always as identity primary key,
  sn text collate "C" not null,
  name text not null,
  status text not null check (status in ('1', '2', '3', '4', '5')),
  -- What `enable` goes back to.
  status_before text check (status_before in ('1', '2', '5')),
  lock_status text not null default '00',
  product_id bigint not null references product_product,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  firmware text,
  patch text,
  model text,
  pn text,
  imei text,
  mac text,
  iccid text,
  agent text,
  time_zone text,
  modules jsonb not null default '{}',
  apps jsonb not null default '[]',
  capabilities text[] not null default '{}',
  -- Digest of the last hello: one that says nothing new writes nothing.
  hello_hash text,
  tags text[] not null default '{}',
  remark text not null default '',
  notes text not null default '',
  config jsonb not null default '{}',
  config_revision integer not null default 0,
  config_reported integer,
  -- Tokens of an older generation are refused.
  credential_gen integer not null default 0,
  enrolled_at timestamptz,
  activated_at timestamptz,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index device_sn on device (sn);
create index device_created on device (created_at, id);
create index device_name on device (name, id);
create index device_dept on device (dept_path, created_at, id);
create index device_product on device (product_id);
create index device_tags on device using gin (tags);
create index device_search on device using gin (sn gin_trgm_ops, name gin_trgm_ops);
create index device_deleted on device (deleted_at) where deleted_at is not null;
call own_by_path('device');

-- A table whose rows are seen by whoever sees their device. For joins from the device only: a scan of it asks for each row.
create procedure follow_device(t regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', t);
  execute format('create policy of_device on %s to mooring_app using (exists (select from device d where d.id = device_id)) with check (exists (select from device d where d.id = device_id))', t);
  execute format('create policy everything on %s to mooring_system using (true) with check (true)', t);
end $$;

-- Last contact and health: narrow, without secondary indexes and half empty, so that batched updates stay on their page
-- (measured: 114,000 rows/s, all HOT; an indexed wide row 26,000).
create table device_presence (
  device_id bigint primary key references device on delete cascade,
  online boolean not null default false,
  lease_until timestamptz,
  seen_at timestamptz,
  connected_at timestamptz,
  session text,
  battery real,
  charging boolean,
  network text,
  signal real,
  storage_total bigint,
  storage_free bigint,
  temperature real,
  uptime bigint,
  lat double precision,
  lon double precision,
  position_source text,
  counters jsonb,
  properties jsonb
) with (fillfactor = 50);
call follow_device('device_presence');

create table device_credential (
  id bigint generated always as identity primary key,
  device_id bigint not null references device on delete cascade,
  serial text not null unique,
  fingerprint text not null unique,
  -- SHA-256 of the public key: the same key may enrol again.
  key_hash text not null,
  certificate text not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index device_credential_device on device_credential (device_id);
create index device_credential_revoked on device_credential (revoked_at) where revoked_at is not null;
call follow_device('device_credential');

-- Terminals that came without a code.
create table device_pending (
  id bigint generated always as identity primary key,
  sn text collate "C" not null,
  state text not null default 'asking' check (state in ('asking', 'accepted', 'refused', 'enrolled')),
  key_hash text not null,
  product_code text not null,
  model text,
  ip text not null,
  tries integer not null default 1,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  reason text,
  -- Chosen when it is accepted.
  product_id bigint references product_product,
  dept_id bigint references org_dept,
  -- An unknown SN is the platform's to decide about; a known one its owner's.
  dept_path text collate "C" not null default '1.',
  unique (sn, key_hash)
);
create index device_pending_last on device_pending (last_at, id);
create index device_pending_dept on device_pending (dept_path, state);
call own_by_path('device_pending');

create table device_enrol_code (
  id bigint generated always as identity primary key,
  code_hash text not null unique,
  hint text not null,
  sn text,
  product_id bigint references product_product,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  uses integer not null default 0,
  max_uses integer not null check (max_uses > 0),
  state text not null default 'open' check (state in ('open', 'withdrawn')),
  expires_at timestamptz not null,
  actor_id bigint,
  actor_name text,
  created_at timestamptz not null default now(),
  check (uses <= max_uses)
);
create index device_enrol_code_dept on device_enrol_code (dept_path, created_at);
call own_by_path('device_enrol_code');

create table device_enrol_rule (
  id bigint generated always as identity primary key,
  name text not null,
  sn_prefix text not null default '',
  product_id bigint references product_product,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  network cidr,
  only_expected boolean not null,
  enabled boolean not null,
  accepted integer not null default 0,
  remark text not null default '',
  created_at timestamptz not null default now()
);
call own_by_path('device_enrol_rule');

-- What terminals report; keeps the path of its time.
create table device_event (
  id bigint generated always as identity,
  at timestamptz not null default now(),
  device_id bigint not null,
  dept_path text collate "C" not null,
  name text not null,
  level text not null,
  params jsonb not null default '{}',
  terminal_at timestamptz not null,
  primary key (id, at)
) partition by range (at);
create index device_event_device on device_event (device_id, at desc);
call own_by_path('device_event');
create table device_event_default partition of device_event default;
-- A partition is reached by its own name too.
call own_by_path('device_event_default');

-- Pieces of a log that a command asked for.
create table device_log (
  device_id bigint not null references device on delete cascade,
  key text not null,
  part integer not null,
  last boolean not null,
  text text not null,
  at timestamptz not null default now(),
  primary key (key, part)
);
call follow_device('device_log');

-- Counters kept by the writers: signed differences, added up when read and folded now and then, so that writers never wait for
-- each other on one counter row.
create table device_tally (
  dept_path text collate "C" not null,
  product_id bigint not null,
  status text not null,
  firmware text not null,
  n bigint not null
);
create index device_tally_dept on device_tally (dept_path);
call own_by_path('device_tally');

create function device_tally_note() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into device_tally select dept_path, product_id, status, coalesce(firmware, ''), count(*) from added where deleted_at is null group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into device_tally select dept_path, product_id, status, coalesce(firmware, ''), -count(*) from gone where deleted_at is null group by 1, 2, 3, 4;
  else
    insert into device_tally
    select dept_path, product_id, status, fw, sum(n) from (
      select dept_path, product_id, status, coalesce(firmware, '') as fw, 1 as n from added where deleted_at is null
      union all select dept_path, product_id, status, coalesce(firmware, ''), -1 from gone where deleted_at is null
    ) d group by 1, 2, 3, 4 having sum(n) <> 0;
  end if;
  return null;
end $$;
create trigger device_tally_insert after insert on device referencing new table as added for each statement execute function device_tally_note();
create trigger device_tally_update after update on device referencing new table as added old table as gone for each statement execute function device_tally_note();
create trigger device_tally_delete after delete on device referencing old table as gone for each statement execute function device_tally_note();
