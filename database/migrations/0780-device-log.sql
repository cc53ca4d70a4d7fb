-- Lines of terminals' logs, by the day that they are of. A terminal's clock may be off: what can't be its time is the time at which it came. No reference to the
-- device, as with its health. The SN stands here since whose another it is now still reads the lines of their own time.
create table device_log_line (
  id bigint generated always as identity,
  at timestamptz not null,
  received_at timestamptz not null,
  device_id bigint not null,
  sn text not null,
  level text not null check (level in ('debug', 'info', 'warn', 'error')),
  tag text not null,
  text text not null,
  -- Above 0 it stands for lines of its hour that weren't kept.
  left_out bigint not null default 0,
  dept_path text collate "C" not null,
  primary key (at, id)
) partition by range (at);
create index device_log_line_device on device_log_line (device_id, at desc, id desc);
-- Who sees few organisations among many.
create index device_log_line_dept on device_log_line (dept_path, at desc);
call own_by_path('device_log_line');
create table device_log_line_default partition of device_log_line default;
call own_by_path('device_log_line_default');
revoke insert, update, delete on device_log_line, device_log_line_default from mooring_app;

-- How many lines a terminal has sent by itself within an hour, and since when those are left out.
create table device_log_hour (
  device_id bigint not null references device on delete cascade,
  hour timestamptz not null,
  lines bigint not null,
  left_at timestamptz,
  primary key (device_id, hour)
);
create index device_log_hour_old on device_log_hour (hour);
call follow_device('device_log_hour');
revoke insert, update, delete on device_log_hour from mooring_app;

-- How many lines came of those that a command asked for.
create table device_log_pull (
  key text primary key,
  device_id bigint not null references device on delete cascade,
  lines bigint not null
);
create index device_log_pull_device on device_log_pull (device_id);
-- Whose command it was reads how many came, though the terminal is another's by now.
alter table device_log_pull enable row level security;
create policy of_command on device_log_pull to mooring_app
  using ((select true from gateway_outbox o where o.key = device_log_pull.key)) with check ((select true from gateway_outbox o where o.key = device_log_pull.key));
create policy everything on device_log_pull to mooring_system using (true) with check (true);
revoke insert, update, delete on device_log_pull from mooring_app;

-- Of all terminals, those that were asked for their logs.
create index gateway_outbox_log_pulls on gateway_outbox (created_at, id) where topic = 'command' and kind = 'logPull';

create or replace function keep_days(parent text, days integer) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  day timestamptz;
  part text;
  old record;
begin
  if parent not in ('device_health', 'device_track', 'device_log_line') then
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
