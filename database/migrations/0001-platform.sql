-- Roles that policies bind (design 1, section 3). The server connects and takes one of them per connection:
-- mooring_app acts for a person inside a scope, mooring_system past the range policy, for rules that span organisations.
do $$ begin
  if not exists (select from pg_roles where rolname = 'mooring_app') then create role mooring_app nologin; end if;
  if not exists (select from pg_roles where rolname = 'mooring_system') then create role mooring_system nologin; end if;
  execute format('grant mooring_app, mooring_system to %I', current_user);
exception when duplicate_object or unique_violation then null;
end $$;
grant usage on schema public to mooring_app, mooring_system;
alter default privileges in schema public grant select, insert, update, delete on tables to mooring_app, mooring_system;
alter default privileges in schema public grant usage, select on sequences to mooring_app, mooring_system;

-- The scope of the transaction: the path that owned rows start with. Without one nothing is in scope.
create function scope_path() returns text language sql stable parallel safe
  return coalesce(nullif(current_setting('mooring.scope', true), ''), '!');

-- The scope's own path and all above it: whose inherited rows are readable.
create function scope_ancestors() returns text[] language sql stable parallel safe as $$
  select coalesce(array_agg(array_to_string(parts[1:n], '.') || '.'), '{}')
  from (select string_to_array(rtrim(scope_path(), '.'), '.') as parts) p, generate_series(1, cardinality(parts)) n
$$;

-- An owned table: visible and writable inside the scope's range only. Called by each migration that makes one.
create procedure own_by_path(t regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', t);
  execute format('create policy owned on %s to mooring_app using (dept_path >= scope_path() and dept_path < scope_path() || ''~'') with check (dept_path >= scope_path() and dept_path < scope_path() || ''~'')', t);
  execute format('create policy everything on %s to mooring_system using (true) with check (true)', t);
end $$;

-- An inherited table: readable by every department below the owner, changed within the owner's range.
create procedure inherit_by_path(t regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', t);
  execute format('create policy owned on %s to mooring_app using (dept_path >= scope_path() and dept_path < scope_path() || ''~'') with check (dept_path >= scope_path() and dept_path < scope_path() || ''~'')', t);
  execute format('create policy inherited on %s for select to mooring_app using (dept_path = any(scope_ancestors()))', t);
  execute format('create policy everything on %s to mooring_system using (true) with check (true)', t);
end $$;

-- Every move of every lifecycle, written in the statement that moves (partitioned by month, see state_change_partitions).
create table state_change (
  id bigint generated always as identity,
  at timestamptz not null default now(),
  life text not null,
  row_id bigint not null,
  event text not null,
  from_state text,
  to_state text not null,
  actor_id bigint,
  dept_path text collate "C" not null,
  detail jsonb,
  primary key (id, at)
) partition by range (at);
create index state_change_row on state_change (life, row_id, at desc);
call own_by_path('state_change');
create table state_change_default partition of state_change default;
-- A partition is reached by its own name too.
call own_by_path('state_change_default');

-- Append-only. One sealer chains the hashes after the commit; a chain inside the transaction would quarter the rate.
create table audit_entry (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  request_id text not null,
  actor_id bigint,
  actor_name text not null,
  dept_path text collate "C" not null,
  platform text,
  ip text not null,
  call text not null,
  target text,
  input jsonb,
  before jsonb,
  after jsonb,
  result text not null,
  -- Place in the chain, given by the sealer: ids can commit out of order.
  seal_no bigint unique,
  hash bytea
);
create index audit_entry_at on audit_entry (at desc);
create index audit_entry_unsealed on audit_entry (id) where seal_no is null;
call own_by_path('audit_entry');
revoke update, delete on audit_entry from mooring_app;

-- What changed, for open lists. Unlogged: after a crash every console refetches anyway.
create unlogged table live_touch (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default now(),
  call_group text not null,
  dept_path text collate "C" not null
);
create index live_touch_xid on live_touch (xid);
create index live_touch_at on live_touch (at);

-- Long work with progress in one form: exports, bulk acts, imports (task centre).
create table work (
  id bigint generated always as identity primary key,
  kind text not null,
  name text not null,
  params jsonb not null default '{}',
  state text not null,
  total bigint,
  done bigint not null default 0,
  failed bigint not null default 0,
  failures jsonb not null default '[]',
  reason text,
  file_id bigint,
  file_name text,
  file_size bigint,
  downloaded boolean not null default false,
  user_id bigint not null,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  expires_at timestamptz
);
create index work_user on work (user_id, created_at desc);
call own_by_path('work');

-- Small secrets and settings of the installation itself.
create table settings_value (
  type text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);
create table settings_table_config (
  user_id bigint not null,
  code text not null,
  config jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (user_id, code)
);

-- The only way from a bound role to the jobs' own tables: queued in the transaction of the change.
create function enqueue_job(job text, payload json, run_at timestamptz, job_key text, max_attempts integer) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform graphile_worker.add_job(job, payload, run_at => run_at, job_key => job_key, max_attempts => max_attempts);
end $$;
revoke all on function enqueue_job from public;
grant execute on function enqueue_job to mooring_app, mooring_system;

-- Monthly partitions of history, made ahead and dropped after their time. Only for the tables named here.
create function keep_partitions(parent text, keep_months integer) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  month timestamptz;
  part text;
  old record;
begin
  if parent not in ('state_change', 'device_event') then
    raise exception 'no partitioned history: %', parent;
  end if;
  perform pg_advisory_xact_lock(7104);
  for ahead in 0..2 loop
    month := date_trunc('month', now(), 'UTC') + make_interval(months => ahead);
    part := parent || to_char(month at time zone 'UTC', '_YYYYMM');
    if to_regclass(part) is null then
      begin
        execute format('create table %I partition of %I for values from (%L) to (%L)', part, parent, month, month + interval '1 month');
        execute format('call own_by_path(%L)', part);
      exception when check_violation then
        -- Rows of that month stand in the default partition already; the next month gets one of its own.
        null;
      end;
    end if;
  end loop;
  for old in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent::regclass and c.relname ~ '_[0-9]{6}$'
      and to_date(right(c.relname, 6), 'YYYYMM') < date_trunc('month', now()) - make_interval(months => keep_months)
  loop
    execute format('drop table %I', old.relname);
  end loop;
end $$;
revoke all on function keep_partitions from public;
grant execute on function keep_partitions to mooring_system;
