-- Outside asset registers that are read, what each reading came to, and where they say something else.
create table inventory_sync_source (
  id bigint generated always as identity primary key,
  name text not null,
  url text not null,
  sign_in text not null default 'none' check (sign_in in ('none', 'token')),
  token_sealed bytea,
  schedule text not null default 'none' check (schedule in ('none', 'hourly', 'daily')),
  adds_new boolean not null default true,
  -- With whose rights it is read by its schedule: whoever saved it last.
  keeper_id bigint references account_user on delete set null,
  next_at timestamptz,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now(),
  revision integer not null default 1,
  check (sign_in = 'none' or token_sealed is not null)
);
create unique index inventory_sync_source_name on inventory_sync_source (dept_id, lower(name));
create index inventory_sync_source_list on inventory_sync_source (dept_path, created_at, id);
create index inventory_sync_source_due on inventory_sync_source (next_at) where next_at is not null;
create index inventory_sync_source_keeper on inventory_sync_source (keeper_id) where keeper_id is not null;
call own_by_path('inventory_sync_source');

-- Of two organisations that are merged each may have a register of one name: the one that comes gets its own behind it.
create function inventory_sync_rename() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from inventory_sync_source where dept_id = new.dept_id and lower(name) = lower(new.name)) then
    new.name := left(new.name, 80) || '-' || new.id;
  end if;
  return new;
end $$;
create trigger rename before update of dept_id on inventory_sync_source
  for each row when (new.dept_id <> old.dept_id) execute function inventory_sync_rename();
create trigger revision before update of name, url, sign_in, token_sealed, schedule, adds_new on inventory_sync_source for each row execute function revision_next();

create table inventory_sync_run (
  id bigint generated always as identity primary key,
  source_id bigint not null references inventory_sync_source on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  reason text,
  received integer not null default 0,
  added integer not null default 0,
  same integer not null default 0,
  conflicts integer not null default 0,
  unreadable integer not null default 0,
  by_name text not null default '',
  -- What the register is asked for next, and how many answers were read.
  cursor text,
  answers integer not null default 0,
  started_at timestamptz not null default now(),
  -- Says that it goes on.
  beat_at timestamptz not null default now(),
  ended_at timestamptz,
  dept_path text collate "C" not null
);
-- A register is read once at a time, whoever asks.
create unique index inventory_sync_run_open on inventory_sync_run (source_id) where state in ('waiting', 'running');
create index inventory_sync_run_list on inventory_sync_run (dept_path, started_at, id);
create index inventory_sync_run_newest on inventory_sync_run (started_at, id) include (dept_path);
create index inventory_sync_run_of on inventory_sync_run (source_id, started_at desc);
create index inventory_sync_run_state on inventory_sync_run (dept_path, state, started_at, id);
create index inventory_sync_run_search on inventory_sync_run using gin (by_name gin_trgm_ops);
create index inventory_sync_run_beats on inventory_sync_run (beat_at) where state in ('waiting', 'running');
call own_by_path('inventory_sync_run');

create table inventory_sync_conflict (
  id bigint generated always as identity primary key,
  source_id bigint not null references inventory_sync_source on delete cascade,
  sn text collate "C" not null,
  state text not null default 'open' check (state in ('open', 'ours', 'theirs', 'settled')),
  why text[] not null,
  device_id bigint references device on delete set null,
  our_owner text,
  our_product text,
  their_owner text not null default '',
  their_product text not null default '',
  their_dept_id bigint references org_dept on delete set null,
  their_product_id bigint references product_product on delete set null,
  -- What both sides said when it was found: a decision holds until one of them says something else.
  about text not null,
  seen_run bigint not null,
  decided_by text not null default '',
  decided_at timestamptz,
  settled_at timestamptz,
  found_at timestamptz not null default now(),
  dept_path text collate "C" not null
);
create unique index inventory_sync_conflict_pair on inventory_sync_conflict (source_id, sn);
create index inventory_sync_conflict_list on inventory_sync_conflict (dept_path, found_at, id);
create index inventory_sync_conflict_newest on inventory_sync_conflict (found_at, id) include (dept_path);
create index inventory_sync_conflict_state on inventory_sync_conflict (dept_path, state, found_at, id);
create index inventory_sync_conflict_of on inventory_sync_conflict (source_id, state);
create index inventory_sync_conflict_sns on inventory_sync_conflict (dept_path, sn, id);
create index inventory_sync_conflict_sn on inventory_sync_conflict (sn, id) include (dept_path);
create index inventory_sync_conflict_device on inventory_sync_conflict (device_id) where device_id is not null;
create index inventory_sync_conflict_dept on inventory_sync_conflict (their_dept_id) where their_dept_id is not null;
create index inventory_sync_conflict_product on inventory_sync_conflict (their_product_id) where their_product_id is not null;
create index inventory_sync_conflict_search on inventory_sync_conflict using gin (sn gin_trgm_ops, their_owner gin_trgm_ops, their_product gin_trgm_ops);
call own_by_path('inventory_sync_conflict');

-- Runs that a job stands for.
create function queued_syncs() returns setof text
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select key from graphile_worker._private_jobs where key ~ '^sync:[0-9]+$' and (attempts < max_attempts or locked_at is not null);
end $$;
revoke all on function queued_syncs from public;
grant execute on function queued_syncs to mooring_system;
