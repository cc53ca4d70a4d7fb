-- Figures of terminals over time: once an hour what presence holds of those that were heard of since. No reference to the device: a million rows an
-- hour would look each of theirs up; a day of it goes as a whole, and until then nobody sees rows of a device that is gone.
create table device_health (
  device_id bigint not null,
  at timestamptz not null,
  battery real,
  charging boolean,
  network text,
  signal real,
  storage_total bigint,
  storage_free bigint,
  temperature real,
  received bigint,
  sent bigint,
  -- Whose it was at the time: who has the terminal later sees what it told since.
  dept_path text collate "C" not null,
  primary key (device_id, at)
) partition by range (at);
call own_by_path('device_health');
create table device_health_default partition of device_health default;
call own_by_path('device_health_default');

-- How far this hour's walk has come.
create table device_health_walk (
  one boolean primary key default true check (one),
  hour timestamptz not null default '-infinity',
  after_id bigint not null default 0,
  done boolean not null default true
);
insert into device_health_walk default values;
revoke all on device_health_walk from mooring_app;

-- Daily partitions, made ahead and dropped after their time. Only for the table named here.
create function keep_days(parent text, days integer) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  day timestamptz;
  part text;
  old record;
begin
  if parent <> 'device_health' then
    raise exception 'no history by days: %', parent;
  end if;
  perform pg_advisory_xact_lock(7105);
  for ahead in 0..2 loop
    day := date_trunc('day', now(), 'UTC') + make_interval(days => ahead);
    part := parent || to_char(day at time zone 'UTC', '_YYYYMMDD');
    if to_regclass(part) is null then
      begin
        execute format('create table %I partition of %I for values from (%L) to (%L)', part, parent, day, day + interval '24 hours');
        execute format('call own_by_path(%L)', part);
      exception when check_violation then
        -- Rows of that day stand in the default partition already; the next day gets one of its own.
        null;
      end;
    end if;
  end loop;
  for old in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent::regclass and c.relname ~ '_[0-9]{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < (now() at time zone 'UTC')::date - days
  loop
    execute format('drop table %I', old.relname);
  end loop;
end $$;
revoke all on function keep_days from public;
grant execute on function keep_days to mooring_system;
