-- Geofences: places that terminals are to stay in. What raises alarms, and who hears of them, is an alert rule that goes with each.
create table geofence (
  id bigint generated always as identity primary key,
  name text not null,
  shape text not null check (shape in ('circle', 'polygon', 'shop')),
  lat double precision,
  lon double precision,
  radius integer,
  area text not null default '',
  audience text not null default 'all' check (audience in ('all', 'groups', 'devices')),
  group_ids bigint[] not null default '{}',
  device_ids bigint[] not null default '{}',
  alarm_on text not null default 'left' check (alarm_on in ('left', 'out')),
  out_minutes integer not null default 30,
  margin integer not null default 100,
  fixes integer not null default 3,
  settle_minutes integer not null default 10,
  priority text not null default '2' check (priority in ('1', '2', '3')),
  receiver_ids bigint[] not null default '{}',
  channels text[] not null default '{}',
  tell_end boolean not null default false,
  escalate_minutes integer,
  escalate_ids bigint[] not null default '{}',
  quiet_from text not null default '',
  quiet_to text not null default '',
  enabled boolean not null default true,
  -- Its rule. No key: the rule is taken away with it.
  rule_id bigint not null,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now(),
  revision integer not null default 1
);
create unique index geofence_taken on geofence (dept_id, lower(name));
create unique index geofence_rule on geofence (rule_id);
create index geofence_name on geofence (dept_path, name, id);
create index geofence_created on geofence (dept_path, created_at, id);
create index geofence_shape on geofence (dept_path, shape, name, id);
create index geofence_enabled on geofence (dept_path, enabled, name, id);
create index geofence_watched on geofence (id) where enabled;
create index geofence_search on geofence using gin (name gin_trgm_ops);
create index geofence_devices on geofence using gin (device_ids);
create index geofence_groups on geofence using gin (group_ids);
call own_by_path('geofence');
create trigger revision
  before update of name, shape, lat, lon, radius, area, audience, group_ids, device_ids, alarm_on, out_minutes, margin, fixes, settle_minutes, priority, receiver_ids,
    channels, tell_end, escalate_minutes, escalate_ids, quiet_from, quiet_to, enabled
  on geofence for each row execute function revision_next();
create trigger rename before update of dept_id on geofence for each row when (new.dept_id <> old.dept_id) execute function alert_rename();

-- Rules of geofences have the names of those, which are taken among geofences alone.
drop index alert_rule_taken;
create unique index alert_rule_taken on alert_rule (dept_id, lower(name)) where kind <> 'geofence';
create index alert_rule_dept on alert_rule (dept_id, name, id);

create function geofence_rule() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into alert_rule (name, kind, priority, for_minutes, clear_minutes, receiver_ids, channels, tell_end, escalate_minutes, escalate_ids, quiet_from, quiet_to,
      enabled, dept_id, dept_path)
    values (new.name, 'geofence', new.priority, 0, 0, new.receiver_ids, new.channels, new.tell_end, new.escalate_minutes, new.escalate_ids, new.quiet_from, new.quiet_to,
      new.enabled, new.dept_id, new.dept_path)
    returning id into new.rule_id;
    return new;
  elsif tg_op = 'UPDATE' then
    update alert_rule set name = new.name, priority = new.priority, receiver_ids = new.receiver_ids, channels = new.channels, tell_end = new.tell_end,
      escalate_minutes = new.escalate_minutes, escalate_ids = new.escalate_ids, quiet_from = new.quiet_from, quiet_to = new.quiet_to, enabled = new.enabled
    where id = new.rule_id;
    return null;
  end if;
  delete from alert_rule where id = old.rule_id;
  return null;
end $$;
revoke all on function geofence_rule from public;
create trigger rule_made before insert on geofence for each row execute function geofence_rule();
create trigger rule_follows after update of name, dept_id, priority, receiver_ids, channels, tell_end, escalate_minutes, escalate_ids, quiet_from, quiet_to, enabled
  on geofence for each row execute function geofence_rule();
create trigger rule_gone after delete on geofence for each row execute function geofence_rule();

-- Its sum grows with each change of any geofence, in its transaction: who keeps them in memory asks whether theirs are the newest. Rows are only added, so
-- that nobody's change waits for another's; they are added up by the way.
create table geofence_version (
  n bigint not null
);
insert into geofence_version values (1);
alter table geofence_version enable row level security;
create policy everything on geofence_version to mooring_system using (true) with check (true);
create function geofence_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from changed) then insert into geofence_version values (1); end if;
  return null;
end $$;
revoke all on function geofence_changed from public;
create trigger changed_insert after insert on geofence referencing new table as changed for each statement execute function geofence_changed();
create trigger changed_update after update on geofence referencing new table as changed for each statement execute function geofence_changed();
create trigger changed_delete after delete on geofence referencing old table as changed for each statement execute function geofence_changed();

-- Where a terminal stands to a fence: written when that changes, and while it is not yet sure that it did.
create table geofence_state (
  fence_id bigint not null references geofence on delete cascade,
  device_id bigint not null references device on delete cascade,
  -- Gone: the fence isn't for this terminal any more; its alarm is closed, and the row goes.
  state text not null check (state in ('inside', 'outside', 'gone')),
  since timestamptz not null,
  fixed_at timestamptz not null,
  -- How many positions in a row said otherwise, and since when.
  other integer not null default 0,
  other_since timestamptz,
  -- When an alarm is to be raised or closed for it.
  due_at timestamptz,
  dept_path text collate "C" not null,
  primary key (device_id, fence_id)
) with (fillfactor = 80);
create index geofence_state_fence on geofence_state (fence_id, state);
create index geofence_state_due on geofence_state (due_at) where due_at is not null;
call own_by_path('geofence_state');

-- How many stand inside and outside of each, as differences that are added up by the way.
create table geofence_tally (
  fence_id bigint not null references geofence on delete cascade,
  inside bigint not null,
  outside bigint not null,
  dept_path text collate "C" not null
);
create index geofence_tally_fence on geofence_tally (fence_id);
call own_by_path('geofence_tally');
revoke insert, update, delete on geofence_tally from mooring_app;
create function geofence_tally_note() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into geofence_tally
    select a.fence_id, count(*) filter (where a.state = 'inside'), count(*) filter (where a.state = 'outside'), f.dept_path
    from added a join geofence f on f.id = a.fence_id where a.state <> 'gone' group by 1, 4;
  elsif tg_op = 'DELETE' then
    insert into geofence_tally
    select a.fence_id, -count(*) filter (where a.state = 'inside'), -count(*) filter (where a.state = 'outside'), f.dept_path
    from gone a join geofence f on f.id = a.fence_id where a.state <> 'gone' group by 1, 4;
  else
    insert into geofence_tally
    select x.fence_id, sum(x.inside), sum(x.outside), f.dept_path from (
      select fence_id, (state = 'inside')::int as inside, (state = 'outside')::int as outside from added
      union all select fence_id, -(state = 'inside')::int, -(state = 'outside')::int from gone
    ) x join geofence f on f.id = x.fence_id group by 1, 4 having sum(x.inside) <> 0 or sum(x.outside) <> 0;
  end if;
  return null;
end $$;
revoke all on function geofence_tally_note from public;
create trigger tally_insert after insert on geofence_state referencing new table as added for each statement execute function geofence_tally_note();
create trigger tally_update after update on geofence_state referencing new table as added old table as gone for each statement execute function geofence_tally_note();
create trigger tally_delete after delete on geofence_state referencing old table as gone for each statement execute function geofence_tally_note();

-- Why an alarm closed without a person.
alter table alert_alarm add column reason text not null default '';

-- A terminal that is deleted, or comes to stand outside of the range of a fence, alone or with its organisation, stands to that fence no more, and isn't
-- among its chosen ones. Of the others its alarms and where it stands go along.
create function geofence_leave() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- The fence before where terminals stand to it, as whoever changes one locks them.
  perform from geofence where id in (select fence_id from geofence_state where device_id = new.id) order by id for key share;
  delete from geofence_state s using geofence f where s.device_id = new.id and f.id = s.fence_id and (new.deleted_at is not null or not starts_with(new.dept_path, f.dept_path));
  update geofence_state set dept_path = new.dept_path where device_id = new.id and dept_path <> new.dept_path;
  update geofence f set device_ids = array_remove(f.device_ids, new.id)
  where f.device_ids @> array[new.id] and (new.deleted_at is not null or not starts_with(new.dept_path, f.dept_path));
  with found as (
    select a.id, a.state from alert_alarm a where a.device_id = new.id and a.kind = 'geofence' and a.state <> 'closed'
      and (new.deleted_at is not null or not exists (select from alert_rule r where r.id = a.rule_id and starts_with(new.dept_path, r.dept_path)))
    order by a.id for update
  ), moved as (
    update alert_alarm t set state = 'closed', reason = 'notFor', closed_at = now(), ended_since = null, tell_at = null, escalate_at = null from found
    where t.id = found.id returning t.id, found.state as was, t.dept_path
  )
  insert into state_change (life, row_id, event, from_state, to_state, dept_path)
  select 'alarm', id, 'recover', was, 'closed', dept_path from moved;
  -- What was closed before and isn't told yet is told to nobody there.
  update alert_alarm a set tell_at = null where a.device_id = new.id and a.kind = 'geofence' and a.tell_at is not null
    and not exists (select from alert_rule r where r.id = a.rule_id and starts_with(new.dept_path, r.dept_path));
  update alert_alarm set dept_id = new.dept_id, dept_path = new.dept_path where device_id = new.id and kind = 'geofence' and state <> 'closed' and dept_path <> new.dept_path;
  return null;
end $$;
revoke all on function geofence_leave from public;
create trigger geofence_leave after update of dept_id, dept_path, deleted_at on device for each row
  when (old.dept_path <> new.dept_path or (old.deleted_at is null and new.deleted_at is not null)) execute function geofence_leave();
-- Alarms of fences are left to that.
create or replace function alert_unmute() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from alert_mute where device_id = new.id;
  delete from alert_pending where device_id = new.id and dept_path <> new.dept_path;
  update alert_alarm set quiet = false where device_id = new.id and quiet and dept_id <> new.dept_id;
  with found as (
    select id, state from alert_alarm where device_id = new.id and kind <> 'geofence' and state <> 'closed' and dept_id <> new.dept_id order by id for update
  ), moved as (
    update alert_alarm t set state = 'closed', closed_at = now(), ended_since = null, tell_at = null, escalate_at = null from found
    where t.id = found.id returning t.id, found.state as was, t.dept_path
  )
  insert into state_change (life, row_id, event, from_state, to_state, dept_path)
  select 'alarm', id, 'recover', was, 'closed', dept_path from moved;
  return null;
end $$;

-- Around another shop, or around none, it is found anew where a terminal stands; what was so around the former one is over.
create function geofence_shop_gone(terminals bigint[]) returns void language sql security definer set search_path = public, pg_temp as $$
  select from geofence where shape = 'shop' and id in (select fence_id from geofence_state where device_id = any(terminals)) order by id for key share;
  with found as materialized (
    select s.device_id, s.fence_id from geofence_state s join geofence f on f.id = s.fence_id and f.shape = 'shop'
    where s.device_id = any(terminals) and s.state <> 'gone' order by s.device_id, s.fence_id for no key update of s
  )
  update geofence_state s set state = 'gone', due_at = '-infinity' from found x where s.device_id = x.device_id and s.fence_id = x.fence_id;
$$;
create function geofence_shop() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from geofence where shape = 'shop') then return null; end if;
  perform geofence_shop_gone(case tg_table_name
    when 'device' then array[new.id]
    when 'merchant_shop' then array(select id from device where shop_id = new.id)
    else array(select id from device where merchant_id = new.id) end);
  return null;
end $$;
revoke all on function geofence_shop_gone, geofence_shop from public;
create index geofence_shops on geofence (id) where shape = 'shop';
create trigger geofence_shop after update of merchant_id, shop_id on device for each row
  when ((old.merchant_id, old.shop_id) is distinct from (new.merchant_id, new.shop_id)) execute function geofence_shop();
create trigger geofence_shop after update of lat, lon on merchant_shop for each row
  when ((old.lat, old.lon) is distinct from (new.lat, new.lon)) execute function geofence_shop();
create trigger geofence_shop after update of lat, lon on merchant_merchant for each row
  when ((old.lat, old.lon) is distinct from (new.lat, new.lon)) execute function geofence_shop();
