-- What failed on terminals in the last days and where they stood then: results of releases, commands, and alarms while they are open.
create table device_failure (
  id bigint generated always as identity primary key,
  device_id bigint not null references device on delete cascade,
  dept_path text collate "C" not null,
  product_id bigint not null,
  cell bigint not null,
  day date not null,
  source text not null check (source in ('release', 'command', 'alarm')),
  reason text not null,
  alarm_id bigint
);
create index device_failure_device on device_failure (device_id, day);
create index device_failure_cell on device_failure (cell, day);
create index device_failure_dept on device_failure (dept_path, cell, day);
create index device_failure_day on device_failure (day);
create index device_failure_alarm on device_failure (alarm_id) where alarm_id is not null;
call own_by_path('device_failure');

-- How many in each square, as with terminals: differences first, added up for the organisation and all above it by the worker.
create table device_failure_change (
  dept_path text collate "C" not null,
  product_id bigint not null,
  cell bigint not null,
  day date not null,
  source text not null,
  reason text not null,
  n bigint not null
);
create index device_failure_change_dept on device_failure_change (dept_path);
call own_by_path('device_failure_change');
create table device_failure_sum (
  dept_path text collate "C" not null,
  level smallint not null,
  cell bigint not null,
  day date not null,
  product_id bigint not null,
  source text not null,
  reason text not null,
  n bigint not null,
  primary key (dept_path, level, cell, day, product_id, source, reason)
) with (fillfactor = 70);
call own_by_path('device_failure_sum');
revoke insert, update, delete on device_failure, device_failure_change, device_failure_sum from mooring_app;

create function device_failure_note() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op in ('INSERT', 'UPDATE') then
    insert into device_failure_change select dept_path, product_id, cell >> 16, day, source, reason, count(*) from added group by 1, 2, 3, 4, 5, 6;
  end if;
  if tg_op in ('DELETE', 'UPDATE') then
    insert into device_failure_change select dept_path, product_id, cell >> 16, day, source, reason, -count(*) from gone group by 1, 2, 3, 4, 5, 6;
  end if;
  return null;
end $$;
revoke all on function device_failure_note from public;
create trigger device_failure_insert after insert on device_failure referencing new table as added for each statement execute function device_failure_note();
create trigger device_failure_update after update on device_failure referencing new table as added old table as gone for each statement execute function device_failure_note();
create trigger device_failure_delete after delete on device_failure referencing old table as gone for each statement execute function device_failure_note();

-- A terminal that stands nowhere is on no map.
create function device_failure_of_results() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from added where state in ('4', '5', '7')) then return null; end if;
  insert into device_failure (device_id, dept_path, product_id, cell, day, source, reason)
  select a.device_id, a.dept_path, p.product_id, p.cell, (coalesce(a.ended_at, a.changed_at) at time zone 'UTC')::date, 'release',
    case when a.state = '5' then 'timeout' else coalesce(a.reason, 'unknown') end
  from added a join gone g on g.id = a.id join device_place p on p.device_id = a.device_id
  where a.state in ('4', '5', '7') and g.state not in ('4', '5', '7') and p.cell is not null;
  return null;
end $$;
revoke all on function device_failure_of_results from public;
create trigger device_failure after update on rollout_result referencing new table as added old table as gone
  for each statement execute function device_failure_of_results();

create function device_failure_of_command() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into device_failure (device_id, dept_path, product_id, cell, day, source, reason)
  select p.device_id, new.dept_path, p.product_id, p.cell, (coalesce(new.answered_at, now()) at time zone 'UTC')::date, 'command', coalesce(new.reason, 'unknown')
  from device_place p where p.device_id = new.device_id and p.cell is not null;
  return null;
end $$;
revoke all on function device_failure_of_command from public;
create trigger device_failure after update of state on gateway_outbox for each row
  when (new.topic = 'command' and new.state = 'failed' and old.state <> 'failed') execute function device_failure_of_command();

create function device_failure_of_alarm() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    delete from device_failure where alarm_id = new.id;
    return null;
  end if;
  insert into device_failure (device_id, dept_path, product_id, cell, day, source, reason, alarm_id)
  select p.device_id, new.dept_path, p.product_id, p.cell, (new.opened_at at time zone 'UTC')::date, 'alarm', new.kind, new.id
  from device_place p where p.device_id = new.device_id and p.cell is not null;
  return null;
end $$;
revoke all on function device_failure_of_alarm from public;
create trigger device_failure_open after insert on alert_alarm for each row
  when (new.device_id is not null and new.state <> 'closed') execute function device_failure_of_alarm();
create trigger device_failure_close after update of state on alert_alarm for each row
  when (new.state = 'closed' and old.state <> 'closed' and new.device_id is not null) execute function device_failure_of_alarm();

-- What is there already.
insert into device_failure (device_id, dept_path, product_id, cell, day, source, reason, alarm_id)
select p.device_id, f.dept_path, p.product_id, p.cell, (f.at at time zone 'UTC')::date, f.source, f.reason, f.alarm_id from (
  select device_id, dept_path, coalesce(ended_at, changed_at) as at, 'release' as source, case when state = '5' then 'timeout' else coalesce(reason, 'unknown') end as reason, null::bigint as alarm_id
  from rollout_result where state in ('4', '5', '7') and changed_at > now() - interval '30 days'
  union all
  select device_id, dept_path, coalesce(answered_at, created_at), 'command', coalesce(reason, 'unknown'), null
  from gateway_outbox where topic = 'command' and state = 'failed' and created_at > now() - interval '30 days'
  union all
  select device_id, dept_path, opened_at, 'alarm', kind, id from alert_alarm where state <> 'closed' and device_id is not null and opened_at > now() - interval '30 days'
) f join device_place p on p.device_id = f.device_id where p.cell is not null;
