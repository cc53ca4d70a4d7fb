-- The rollout engine: a task sent to many devices, of any kind (design 2, "Task"; design 6: a kind is a declaration).
create table rollout_task (
  id bigint generated always as identity primary key,
  kind text not null,
  task_class text not null default '1' check (task_class in ('0', '1')),
  name text not null,
  package_id bigint not null,
  product_id bigint not null,
  release_scope text not null check (release_scope in ('0', '1', '2')),
  scope jsonb not null,
  delivery jsonb not null,
  state text not null default 'draft'
    check (state in ('draft', 'auditing', 'returned', 'rejected', 'ready', 'scheduled', 'running', 'paused', 'halted', 'finished', 'cancelled')),
  start_at timestamptz,
  expires_at timestamptz,
  open_ring integer not null default 1,
  -- Set when its devices are frozen; nothing is sent before.
  gathered_at timestamptz,
  gathered_to bigint not null default 0,
  halt_reason text,
  remark text not null default '',
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_by bigint not null,
  created_by_name text not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz
);
create index rollout_task_list on rollout_task (dept_path, created_at, id);
create index rollout_task_live on rollout_task (id) where state in ('scheduled', 'running', 'paused', 'halted');
create index rollout_task_package on rollout_task (package_id);
call inherit_by_path('rollout_task');

create table rollout_result (
  id bigint generated always as identity primary key,
  task_id bigint not null references rollout_task on delete cascade,
  kind text not null,
  device_id bigint not null,
  sn text collate "C" not null,
  ring integer not null,
  state text not null default '1' check (state in ('1', '2', '3', '4', '5', '6', '7', '8', '9', '10')),
  -- When it may be sent: 'infinity' while the terminal is absent.
  next_at timestamptz not null,
  -- When the present attempt times out.
  due_at timestamptz,
  attempts integer not null default 0,
  tries_left integer not null,
  offer text,
  from_version text,
  version text,
  phase text,
  percent real,
  reason text,
  message text,
  sent_at timestamptz,
  ended_at timestamptz,
  changed_at timestamptz not null default now(),
  dept_path text collate "C" not null
) with (fillfactor = 80);
create unique index rollout_result_device on rollout_result (task_id, device_id);
create index rollout_result_sn on rollout_result (task_id, sn, id);
create index rollout_result_changed on rollout_result (task_id, changed_at, id);
create index rollout_result_state on rollout_result (task_id, state, ring);
create index rollout_result_due on rollout_result (task_id, ring, next_at) where state = '1' and next_at < 'infinity';
create index rollout_result_timeout on rollout_result (due_at) where state = '2';
-- A device is worked on by one task of a kind at a time; the database settles the race.
create unique index rollout_result_busy on rollout_result (device_id, kind) where state = '2';
create index rollout_result_open on rollout_result (device_id) where state in ('1', '2', '8');
create index rollout_result_history on rollout_result (device_id, id);
call own_by_path('rollout_result');

-- Each sending; a result names its attempt. One that comes after the end is kept here and shown.
create table rollout_attempt (
  offer text primary key,
  result_id bigint not null references rollout_result on delete cascade,
  device_id bigint not null,
  no integer not null,
  sent_at timestamptz not null default now(),
  ended_at timestamptz,
  outcome text,
  reason text,
  message text,
  version text,
  sha256 text,
  late boolean not null default false,
  dept_path text collate "C" not null
);
create index rollout_attempt_result on rollout_attempt (result_id, no);
call own_by_path('rollout_attempt');

-- Counters kept by the writers: signed differences, added up when read and folded now and then.
create table rollout_tally (
  task_id bigint not null,
  dept_path text collate "C" not null,
  ring integer not null,
  state text not null,
  n bigint not null
);
create index rollout_tally_task on rollout_tally (task_id);
call own_by_path('rollout_tally');
-- Ended results by minute, for the curve.
create table rollout_minute (
  task_id bigint not null,
  dept_path text collate "C" not null,
  at timestamptz not null,
  state text not null,
  n bigint not null
);
create index rollout_minute_task on rollout_minute (task_id, at);
call own_by_path('rollout_minute');

create function rollout_tally_note() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into rollout_tally select task_id, dept_path, ring, state, count(*) from added group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into rollout_tally select task_id, dept_path, ring, state, -count(*) from gone group by 1, 2, 3, 4;
  else
    insert into rollout_tally
    select task_id, dept_path, ring, state, sum(n) from (
      select task_id, dept_path, ring, state, 1 as n from added union all select task_id, dept_path, ring, state, -1 from gone
    ) d group by 1, 2, 3, 4 having sum(n) <> 0;
    insert into rollout_minute
    select a.task_id, a.dept_path, date_trunc('minute', now()), a.state, count(*)
    from added a join gone g on g.id = a.id where a.state <> g.state and a.state in ('3', '4', '5', '6', '7') group by 1, 2, 3, 4;
  end if;
  return null;
end $$;
create trigger rollout_tally_insert after insert on rollout_result referencing new table as added for each statement execute function rollout_tally_note();
create trigger rollout_tally_update after update on rollout_result referencing new table as added old table as gone for each statement execute function rollout_tally_note();
create trigger rollout_tally_delete after delete on rollout_result referencing old table as gone for each statement execute function rollout_tally_note();

create table firmware_package (
  id bigint generated always as identity primary key,
  product_id bigint not null references product_product,
  version text not null,
  kind text not null check (kind in ('TA', 'DI')),
  base text,
  file_id bigint not null,
  file_name text not null,
  size bigint not null,
  sha256 text not null,
  md5 text not null,
  note text not null default '',
  publish_state text not null default '0' check (publish_state in ('0', '1', '2', '3')),
  key_id text,
  signature text,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_by bigint not null,
  created_by_name text not null,
  created_at timestamptz not null default now(),
  unique nulls not distinct (product_id, kind, version, base),
  check ((kind = 'DI') = (base is not null))
);
create index firmware_package_list on firmware_package (dept_path, created_at, id);
call inherit_by_path('firmware_package');
