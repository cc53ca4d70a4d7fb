-- Alarms: what an organisation wants to be told of, who hears of it, and what was found.
create table alert_receiver (
  id bigint generated always as identity primary key,
  name text not null,
  user_ids bigint[] not null default '{}',
  emails text[] not null default '{}',
  remark text not null default '',
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now(),
  revision integer not null default 1
);
create unique index alert_receiver_taken on alert_receiver (dept_id, lower(name));
create index alert_receiver_name on alert_receiver (dept_path, name, id);
create index alert_receiver_created on alert_receiver (dept_path, created_at, id);
create index alert_receiver_search on alert_receiver using gin (name gin_trgm_ops);
call own_by_path('alert_receiver');
create trigger revision before update of name, user_ids, emails, remark on alert_receiver for each row execute function revision_next();

create table alert_rule (
  id bigint generated always as identity primary key,
  name text not null,
  kind text not null,
  params jsonb not null default '{}',
  scope text not null default 'all' check (scope in ('all', 'depts', 'groups', 'products')),
  dept_ids bigint[] not null default '{}',
  group_ids bigint[] not null default '{}',
  product_ids bigint[] not null default '{}',
  priority text not null default '2' check (priority in ('1', '2', '3')),
  for_minutes integer not null default 5,
  clear_minutes integer not null default 5,
  receiver_ids bigint[] not null default '{}',
  channels text[] not null default '{}',
  tell_end boolean not null default false,
  repeat_hours integer,
  escalate_minutes integer,
  escalate_ids bigint[] not null default '{}',
  quiet_from text not null default '',
  quiet_to text not null default '',
  quiet_through boolean not null default true,
  enabled boolean not null default true,
  muted_until timestamptz,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now(),
  revision integer not null default 1
);
create unique index alert_rule_taken on alert_rule (dept_id, lower(name));
create index alert_rule_name on alert_rule (dept_path, name, id);
create index alert_rule_created on alert_rule (dept_path, created_at, id);
create index alert_rule_kind on alert_rule (dept_path, kind, name, id);
create index alert_rule_priority on alert_rule (dept_path, priority, name, id);
create index alert_rule_watched on alert_rule (kind, dept_path) where enabled;
create index alert_rule_enabled on alert_rule (dept_path, enabled, name, id);
create index alert_rule_receivers on alert_rule using gin (receiver_ids);
create index alert_rule_escalates on alert_rule using gin (escalate_ids);
create index alert_rule_search on alert_rule using gin (name gin_trgm_ops);
call own_by_path('alert_rule');
create trigger revision
  before update of name, kind, params, scope, dept_ids, group_ids, product_ids, priority, for_minutes, clear_minutes, receiver_ids, channels, tell_end, repeat_hours,
    escalate_minutes, escalate_ids, quiet_from, quiet_to, quiet_through, enabled
  on alert_rule for each row execute function revision_next();

-- Of two organisations that are merged each may have one of a name: the one that comes gets its number behind it.
create function alert_rename() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  is_taken boolean;
begin
  execute format('select exists (select from %I where dept_id = $1 and lower(name) = lower($2))', tg_table_name) into is_taken using new.dept_id, new.name;
  if is_taken then new.name := left(new.name, 63 - length(new.id::text)) || '-' || new.id; end if;
  return new;
end $$;
create trigger rename before update of dept_id on alert_rule for each row when (new.dept_id <> old.dept_id) execute function alert_rename();
create trigger rename before update of dept_id on alert_receiver for each row when (new.dept_id <> old.dept_id) execute function alert_rename();

create table alert_alarm (
  id bigint generated always as identity primary key,
  -- What it is about, within its rule: a terminal, a release, or the rule's range as a whole.
  subject text collate "C" not null,
  label text not null,
  state text not null default 'open' check (state in ('open', 'acknowledged', 'closed')),
  priority text not null,
  kind text not null,
  about jsonb not null default '{}',
  -- No keys: its history stays when its rule is deleted, and with who had it when a later owner deletes the terminal.
  rule_id bigint not null,
  rule_name text not null,
  device_id bigint,
  product_id bigint,
  figure real,
  threshold real,
  clear_minutes integer not null,
  count integer not null default 1,
  level integer not null default 0,
  opened_at timestamptz not null,
  last_at timestamptz not null,
  -- It has been over since, though not for long enough.
  ended_since timestamptz,
  -- When somebody is to be told next, or others than before.
  tell_at timestamptz,
  escalate_at timestamptz,
  acknowledged_by text not null default '',
  acknowledged_at timestamptz,
  closed_by text not null default '',
  closed_at timestamptz,
  note text not null default '',
  -- Closed by hand while it was still so: nothing new is raised of it before that was over once.
  quiet boolean not null default false,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null
);
create unique index alert_alarm_open on alert_alarm (rule_id, subject) where state <> 'closed';
create index alert_alarm_current on alert_alarm (dept_path, opened_at, id) where state <> 'closed';
create index alert_alarm_opened on alert_alarm (dept_path, opened_at, id);
create index alert_alarm_newest on alert_alarm (opened_at, id) include (dept_path);
create index alert_alarm_last on alert_alarm (dept_path, last_at, id);
create index alert_alarm_latest on alert_alarm (last_at, id) include (dept_path);
create index alert_alarm_state on alert_alarm (dept_path, state, opened_at, id);
create index alert_alarm_priority on alert_alarm (dept_path, priority, opened_at, id);
create index alert_alarm_kind on alert_alarm (dept_path, kind, opened_at, id);
create index alert_alarm_rule on alert_alarm (rule_id, opened_at, id);
create index alert_alarm_device on alert_alarm (device_id, opened_at, id);
create index alert_alarm_product on alert_alarm (product_id, opened_at, id);
create index alert_alarm_dept on alert_alarm (dept_id, opened_at, id);
create index alert_alarm_closed on alert_alarm (closed_at) where state = 'closed';
create index alert_alarm_tell on alert_alarm (tell_at) where tell_at is not null;
create index alert_alarm_escalate on alert_alarm (escalate_at) where escalate_at is not null;
create index alert_alarm_watched on alert_alarm (device_id) where state <> 'closed';
create index alert_alarm_quiet on alert_alarm (device_id) where quiet;
create index alert_alarm_search on alert_alarm using gin (label gin_trgm_ops, rule_name gin_trgm_ops);
call own_by_path('alert_alarm');

-- What is so, though not for long enough yet to raise an alarm.
create table alert_pending (
  rule_id bigint not null references alert_rule on delete cascade,
  device_id bigint not null references device on delete cascade,
  since timestamptz not null,
  dept_path text collate "C" not null,
  primary key (device_id, rule_id)
);
create index alert_pending_rule on alert_pending (rule_id);
call own_by_path('alert_pending');

create table alert_mute (
  device_id bigint not null references device on delete cascade,
  until timestamptz not null,
  -- Who silenced it: nobody silences the rules of those above.
  by_path text collate "C" not null,
  dept_path text collate "C" not null,
  primary key (device_id, by_path)
);
create index alert_mute_until on alert_mute (until);
call own_by_path('alert_mute');
-- A terminal that goes to another organisation is heard of there. Where two organisations are merged its alarms have come along before it does.
create function alert_unmute() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from alert_mute where device_id = new.id;
  delete from alert_pending where device_id = new.id and dept_path <> new.dept_path;
  update alert_alarm set quiet = false where device_id = new.id and quiet and dept_id <> new.dept_id;
  with found as (
    select id, state from alert_alarm where device_id = new.id and state <> 'closed' and dept_id <> new.dept_id order by id for update
  ), moved as (
    update alert_alarm t set state = 'closed', closed_at = now(), ended_since = null, tell_at = null, escalate_at = null from found
    where t.id = found.id returning t.id, found.state as was, t.dept_path
  )
  insert into state_change (life, row_id, event, from_state, to_state, dept_path)
  select 'alarm', id, 'recover', was, 'closed', dept_path from moved;
  return null;
end $$;
revoke all on function alert_unmute from public;
create trigger alert_unmute after update of dept_id on device for each row when (old.dept_id <> new.dept_id) execute function alert_unmute();

-- What happened that a rule may wait for: taken by the next look, and gone then.
create table alert_signal (
  id bigint generated always as identity primary key,
  kind text not null,
  row_id bigint not null,
  at timestamptz not null,
  data jsonb not null,
  dept_path text collate "C" not null
);
call own_by_path('alert_signal');

-- Terminals that went silent, by minute: kept as long as any rule may look back, where there is one.
create table alert_lost (
  minute timestamptz not null,
  n integer not null,
  dept_path text collate "C" not null
);
create index alert_lost_minute on alert_lost (minute);
create index alert_lost_below on alert_lost (dept_path, minute) include (n);
call own_by_path('alert_lost');

-- What was told to nobody in their quiet hours: one summary after them.
create table alert_held (
  id bigint generated always as identity primary key,
  rule_id bigint not null references alert_rule on delete cascade,
  user_id bigint,
  email text,
  n integer not null,
  due_at timestamptz not null,
  dept_path text collate "C" not null
);
create unique index alert_held_one on alert_held (rule_id, user_id, email) nulls not distinct;
create index alert_held_due on alert_held (due_at);
call own_by_path('alert_held');

create table alert_walk (
  one boolean primary key default true check (one),
  after_id bigint not null default 0
);
insert into alert_walk default values;
alter table alert_walk enable row level security;
create policy everything on alert_walk to mooring_system using (true) with check (true);

-- Raised alarms by day, as differences that are added up by the way; a nightly job puts them together.
create table alert_tally (
  day date not null,
  rule_id bigint,
  product_id bigint,
  priority text not null,
  n bigint not null,
  dept_path text collate "C" not null
);
create index alert_tally_day on alert_tally (dept_path, day);
create index alert_tally_all on alert_tally (day) include (dept_path);
call own_by_path('alert_tally');
create function alert_tally_note() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into alert_tally (day, rule_id, product_id, priority, n, dept_path)
  select (opened_at at time zone 'UTC')::date, rule_id, product_id, priority, count(*), dept_path from added group by 1, 2, 3, 4, 6;
  return null;
end $$;
revoke all on function alert_tally_note from public;
create trigger alert_tally after insert on alert_alarm referencing new table as added for each statement execute function alert_tally_note();

-- A department's path and those of all above it.
create function paths_above(path text) returns text[] language sql immutable parallel safe as $$
  select array(select left(path, i) from generate_series(1, length(path)) i where substr(path, i, 1) = '.')
$$;

-- Releases that end, and terminals that go silent: noted in the transaction that moves them, where a rule waits for it.
create function alert_signals() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from changed where life = 'task' and event in ('halt', 'finish')) then
    insert into alert_signal (kind, row_id, at, data, dept_path)
    select 'release', c.row_id, c.at, jsonb_build_object('when', case c.event when 'halt' then 'halted' else 'finished' end), c.dept_path from changed c
    where c.life = 'task' and c.event in ('halt', 'finish')
      and exists (select from alert_rule r where r.kind = 'release' and r.enabled and r.dept_path = any(paths_above(c.dept_path)));
  end if;
  if exists (select from changed where life = 'device' and event = 'lost') and exists (select from alert_rule where kind = 'outage' and enabled) then
    insert into alert_lost (minute, n, dept_path)
    select date_trunc('minute', at), count(*), dept_path from changed where life = 'device' and event = 'lost' group by 1, 3;
  end if;
  return null;
end $$;
revoke all on function alert_signals from public;
create trigger alert_signals after insert on state_change referencing new table as changed for each statement execute function alert_signals();
