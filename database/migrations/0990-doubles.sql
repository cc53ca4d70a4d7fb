-- Terminals that report an IMEI or ICCID which another one reports too. Of a number that one terminal alone has nothing is kept.

-- What has no digit but zeros is what a terminal without a modem says, and no number. An ICCID is compared in capitals, as its index has it.
create function reported_number(said text) returns text language sql immutable parallel safe as $$
  select case when said ~ '[1-9]' then said end
$$;

create table device_double (
  device_id bigint not null references device on delete cascade,
  kind text not null check (kind in ('imei', 'iccid')),
  value text collate "C" not null,
  dept_path text collate "C" not null,
  primary key (device_id, kind)
);
create index device_double_value on device_double (kind, value, dept_path, device_id);
create index device_double_dept on device_double (dept_path, kind, device_id);
call own_by_path('device_double');
revoke insert, update, delete on device_double from mooring_app;

-- Whose number is to be compared. Two that come to one number at once don't see each other: the worker compares what is committed, so nobody waits for anyone.
create table device_double_turn (device_id bigint not null);
revoke all on device_double_turn from mooring_app;

create function device_double_begin() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into device_double_turn select id from added where deleted_at is null and (reported_number(imei) is not null or reported_number(iccid) is not null);
  return null;
end $$;
revoke all on function device_double_begin from public;
create trigger device_double_begin after insert on device referencing new table as added for each statement execute function device_double_begin();

-- What a terminal no longer has, and where it went, holds at once: it writes its own row, which the lock on the terminal guards.
create function device_double_follow() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  imei text := reported_number(new.imei);
  iccid text := reported_number(upper(new.iccid));
begin
  if new.deleted_at is not null then
    delete from device_double where device_id = new.id;
    return null;
  end if;
  if new.dept_path <> old.dept_path then
    update device_double set dept_path = new.dept_path where device_id = new.id and dept_path <> new.dept_path;
  end if;
  if new.imei is distinct from old.imei or new.iccid is distinct from old.iccid then
    delete from device_double d where d.device_id = new.id and d.value is distinct from case d.kind when 'imei' then imei else iccid end;
  end if;
  if (imei is not null and new.imei is distinct from old.imei) or (iccid is not null and new.iccid is distinct from old.iccid)
    or (old.deleted_at is not null and (imei is not null or iccid is not null))
  then
    insert into device_double_turn values (new.id);
  end if;
  return null;
end $$;
revoke all on function device_double_follow from public;
create trigger device_double_follow after update of imei, iccid, deleted_at, dept_path on device for each row
  when (new.imei is distinct from old.imei or new.iccid is distinct from old.iccid or new.deleted_at is distinct from old.deleted_at or new.dept_path <> old.dept_path)
  execute function device_double_follow();

-- What is there already.
insert into device_double (device_id, kind, value, dept_path)
select d.id, 'imei', d.imei, d.dept_path from device d join (
  select imei from device where deleted_at is null and reported_number(imei) is not null group by 1 having count(*) > 1
) many on many.imei = d.imei where d.deleted_at is null;
insert into device_double (device_id, kind, value, dept_path)
select d.id, 'iccid', upper(d.iccid), d.dept_path from device d join (
  select upper(iccid) as iccid from device where deleted_at is null and reported_number(iccid) is not null group by 1 having count(*) > 1
) many on many.iccid = upper(d.iccid) where d.deleted_at is null;
