-- Figures of a scope are read, never counted: differences are written with the rows that they count, and a job adds them up for the
-- organisation and all above it. A reader takes the sums and what isn't added up yet, in one statement.
create table stats_change (
  dept_path text collate "C" not null,
  product_id bigint not null,
  measure text not null,
  detail text not null,
  -- The hour in which it happened; none for what holds now.
  at timestamptz,
  n bigint not null
);
create index stats_change_dept on stats_change (dept_path, measure);
call own_by_path('stats_change');

-- What holds now, of a department and all below it.
create table stats_now (
  dept_path text collate "C" not null,
  measure text not null,
  product_id bigint not null,
  detail text not null,
  n bigint not null,
  primary key (dept_path, measure, product_id, detail)
) with (fillfactor = 70);
call own_by_path('stats_now');

-- What happened in an hour; `online` is a sample at its beginning.
create table stats_hour (
  dept_path text collate "C" not null,
  measure text not null,
  at timestamptz not null,
  product_id bigint not null,
  detail text not null,
  n bigint not null,
  primary key (dept_path, measure, at, product_id, detail)
);
create index stats_hour_at on stats_hour using brin (at);
call own_by_path('stats_hour');

-- The same by day (UTC), kept for years; `online` is the sum of its samples.
create table stats_day (
  dept_path text collate "C" not null,
  measure text not null,
  day date not null,
  product_id bigint not null,
  detail text not null,
  n bigint not null,
  primary key (dept_path, measure, day, product_id, detail)
);
create index stats_day_day on stats_day using brin (day);
call own_by_path('stats_day');

-- The hours of which there is a sample: elsewhere nothing is known, which is no zero.
create table stats_sample (at timestamptz primary key);
revoke insert, update, delete on stats_sample from mooring_app;

-- Terminals that somebody should look at: silent for days, with a low battery, with full storage. Kept by a walk over their presence.
create table device_attention (
  device_id bigint not null references device(id) on delete cascade,
  kind text not null check (kind in ('silent', 'battery', 'storage')),
  product_id bigint not null,
  dept_path text collate "C" not null,
  since timestamptz not null,
  primary key (device_id, kind)
);
create index device_attention_kind on device_attention (kind, dept_path, device_id);
call own_by_path('device_attention');
create table device_attention_walk (
  one boolean primary key default true check (one),
  after_id bigint not null default 0
);
insert into device_attention_walk default values;
revoke all on device_attention_walk from mooring_app;

create function stats_attention_note() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into stats_change select dept_path, product_id, kind, '', null, count(*) from added group by 1, 2, 3;
  elsif tg_op = 'DELETE' then
    insert into stats_change select dept_path, product_id, kind, '', null, -count(*) from gone group by 1, 2, 3;
  else
    insert into stats_change select dept_path, product_id, kind, '', null, sum(n) from (
      select dept_path, product_id, kind, 1 as n from added union all select dept_path, product_id, kind, -1 from gone
    ) d group by 1, 2, 3 having sum(n) <> 0;
  end if;
  return null;
end $$;
create trigger stats_attention_insert after insert on device_attention referencing new table as added for each statement execute function stats_attention_note();
create trigger stats_attention_update after update on device_attention referencing new table as added old table as gone for each statement execute function stats_attention_note();
create trigger stats_attention_delete after delete on device_attention referencing old table as gone for each statement execute function stats_attention_note();

-- Past the policies: a terminal that leaves the scope takes its row along.
create function device_attention_follow() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.deleted_at is not null or new.status not in ('2', '3') then
    delete from device_attention where device_id = new.id;
  else
    update device_attention set dept_path = new.dept_path, product_id = new.product_id
    where device_id = new.id and (dept_path <> new.dept_path or product_id <> new.product_id);
  end if;
  return null;
end $$;
create trigger device_attention_follow after update of status, dept_path, product_id, deleted_at on device for each row
  when (new.dept_path <> old.dept_path or new.product_id <> old.product_id or new.deleted_at is distinct from old.deleted_at or (new.status <> old.status and new.status not in ('2', '3')))
  execute function device_attention_follow();

-- Terminals by status and by version, as differences beside those of `device_tally`.
create or replace function device_tally_note() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    with changed as (
      select dept_path, product_id, status, coalesce(firmware, '') as fw, count(*) as n from added where deleted_at is null group by 1, 2, 3, 4
    ), counted as (
      insert into device_tally select dept_path, product_id, status, fw, n from changed
    )
    insert into stats_change
    select dept_path, product_id, 'status', status, null::timestamptz, sum(n) from changed group by 1, 2, 4
    union all select dept_path, product_id, 'firmware', fw, null, sum(n) from changed where fw <> '' group by 1, 2, 4
    union all select dept_path, product_id, 'activated', '', date_trunc('hour', activated_at, 'UTC'), count(*) from added where activated_at is not null group by 1, 2, 5;
  elsif tg_op = 'DELETE' then
    with changed as (
      select dept_path, product_id, status, coalesce(firmware, '') as fw, -count(*) as n from gone where deleted_at is null group by 1, 2, 3, 4
    ), counted as (
      insert into device_tally select dept_path, product_id, status, fw, n from changed
    )
    insert into stats_change
    select dept_path, product_id, 'status', status, null::timestamptz, sum(n) from changed group by 1, 2, 4
    union all select dept_path, product_id, 'firmware', fw, null, sum(n) from changed where fw <> '' group by 1, 2, 4;
  else
    with changed as (
      select dept_path, product_id, status, fw, sum(n) as n from (
        select dept_path, product_id, status, coalesce(firmware, '') as fw, 1 as n from added where deleted_at is null
        union all select dept_path, product_id, status, coalesce(firmware, ''), -1 from gone where deleted_at is null
      ) d group by 1, 2, 3, 4 having sum(n) <> 0
    ), counted as (
      insert into device_tally select dept_path, product_id, status, fw, n from changed
    )
    insert into stats_change
    select dept_path, product_id, 'status', status, null::timestamptz, sum(n) from changed group by 1, 2, 4 having sum(n) <> 0
    union all select dept_path, product_id, 'firmware', fw, null, sum(n) from changed where fw <> '' group by 1, 2, 4 having sum(n) <> 0;
  end if;
  return null;
end $$;

-- A statement that doesn't name the column, as each move to and from online, costs nothing here.
create function stats_activated_note() returns trigger language plpgsql as $$
begin
  insert into stats_change values (new.dept_path, new.product_id, 'activated', '', date_trunc('hour', new.activated_at, 'UTC'), 1);
  return null;
end $$;
create trigger stats_activated after update of activated_at on device for each row
  when (new.activated_at is not null and new.activated_at is distinct from old.activated_at) execute function stats_activated_note();

-- What became of a device of a release, when it did; of its release too, for the curve of one that is large.
create function stats_result_note() returns trigger language plpgsql as $$
begin
  if not exists (select from added where state in ('3', '4', '5', '6', '7')) then return null; end if;
  with ended as (
    select a.dept_path, coalesce(d.product_id, t.product_id, 0) as product_id, date_trunc('hour', coalesce(a.ended_at, a.changed_at), 'UTC') as at, a.state in ('3', '6') as good, a.task_id,
      case when a.state in ('3', '6') then '' when a.state = '5' then 'timeout' else coalesce(a.reason, 'unknown') end as reason, count(*) as n
    from added a join gone g on g.id = a.id join rollout_task t on t.id = a.task_id left join device d on d.id = a.device_id
    where a.state in ('3', '4', '5', '6', '7') and a.state <> g.state group by 1, 2, 3, 4, 5, 6
  )
  insert into stats_change
  select dept_path, product_id, case when good then 'succeeded' else 'failed' end, reason, at, sum(n) from ended group by 1, 2, 3, 4, 5
  union all select dept_path, product_id, case when good then 'taskSucceeded' else 'taskFailed' end, task_id::text, at, sum(n) from ended group by 1, 2, 3, 4, 5;
  return null;
end $$;
create trigger stats_result after update on rollout_result referencing new table as added old table as gone for each statement execute function stats_result_note();

-- The device list by product and version: terminals that are behind.
create index device_firmware on device (product_id, firmware, dept_path) where deleted_at is null;

-- What is there already, counted once while nobody writes.
lock table device in share row exclusive mode;
insert into stats_now
select a.path, 'status', d.product_id, d.status, count(*) from device d, unnest(path_and_above(d.dept_path)) a(path) where d.deleted_at is null group by 1, 3, 4
union all
select a.path, 'firmware', d.product_id, d.firmware, count(*) from device d, unnest(path_and_above(d.dept_path)) a(path) where d.deleted_at is null and d.firmware <> '' group by 1, 3, 4;
insert into stats_day
select a.path, 'activated', (d.activated_at at time zone 'UTC')::date, d.product_id, '', count(*) from device d, unnest(path_and_above(d.dept_path)) a(path)
where d.activated_at is not null group by 1, 3, 4;
insert into stats_day
select a.path, case when r.state in ('3', '6') then 'succeeded' else 'failed' end, (r.ended_at at time zone 'UTC')::date, coalesce(d.product_id, t.product_id, 0),
  case when r.state in ('3', '6') then '' when r.state = '5' then 'timeout' else coalesce(r.reason, 'unknown') end, count(*)
from rollout_result r join rollout_task t on t.id = r.task_id left join device d on d.id = r.device_id, unnest(path_and_above(r.dept_path)) a(path)
where r.state in ('3', '4', '5', '6', '7') and r.ended_at is not null group by 1, 2, 3, 4, 5;
