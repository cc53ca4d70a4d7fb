-- What terminals run beside their firmware is counted as that is: as differences, by product and organisation. Of a module its name and version stand in one detail, of an app its
-- package name, version code and version name; what comes with the system isn't counted.
create function stats_parts_of(modules jsonb, patch text) returns table (measure text, detail text) language sql immutable as $$
  select 'patch', patch where patch <> ''
  union all
  select 'module', m.key || chr(31) || m.value from jsonb_each_text(modules) m where m.value <> ''
$$;
create function stats_app_of(package_name text, version_code bigint, version_name text) returns text language sql immutable as $$
  select package_name || chr(31) || coalesce(version_code::text, '') || chr(31) || version_name
$$;
revoke all on function stats_parts_of from public;
grant execute on function stats_parts_of to mooring_app, mooring_system;
revoke all on function stats_app_of from public;
grant execute on function stats_app_of to mooring_app, mooring_system;

-- Past the policies, as what goes with a terminal that leaves the scope. A statement that names none of these columns costs nothing here.
create function stats_parts_note() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into stats_change
  select path, product, measure, detail, null::timestamptz, sum(n) from (
    select old.dept_path as path, old.product_id as product, p.measure, p.detail, -1 as n from stats_parts_of(old.modules, old.patch) p where old.deleted_at is null
    union all
    select new.dept_path, new.product_id, p.measure, p.detail, 1 from stats_parts_of(new.modules, new.patch) p where new.deleted_at is null
  ) d where path is not null group by 1, 2, 3, 4 having sum(n) <> 0;
  return null;
end $$;
create trigger stats_parts_insert after insert on device for each row
  when (new.patch is not null or new.modules <> '{}') execute function stats_parts_note();
create trigger stats_parts_update after update of patch, modules, dept_path, product_id, deleted_at on device for each row
  when ((old.patch, old.modules, old.dept_path, old.product_id, old.deleted_at) is distinct from (new.patch, new.modules, new.dept_path, new.product_id, new.deleted_at))
  execute function stats_parts_note();
create trigger stats_parts_delete after delete on device for each row
  when (old.patch is not null or old.modules <> '{}') execute function stats_parts_note();

create function stats_app_note() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into stats_change
    select a.dept_path, d.product_id, 'app', stats_app_of(a.package_name, a.version_code, a.version_name), null::timestamptz, count(*)
    from added a join device d on d.id = a.device_id where not a.system group by 1, 2, 4;
  elsif tg_op = 'DELETE' then
    insert into stats_change
    select a.dept_path, d.product_id, 'app', stats_app_of(a.package_name, a.version_code, a.version_name), null::timestamptz, -count(*)
    from gone a join device d on d.id = a.device_id where not a.system group by 1, 2, 4;
  else
    insert into stats_change
    select c.dept_path, d.product_id, 'app', c.detail, null::timestamptz, sum(c.n) from (
      select device_id, dept_path, stats_app_of(package_name, version_code, version_name) as detail, 1 as n from added where not system
      union all
      select device_id, dept_path, stats_app_of(package_name, version_code, version_name), -1 from gone where not system
    ) c join device d on d.id = c.device_id group by 1, 2, 4 having sum(c.n) <> 0;
  end if;
  return null;
end $$;
create trigger stats_app_insert after insert on device_app referencing new table as added for each statement execute function stats_app_note();
create trigger stats_app_update after update on device_app referencing new table as added old table as gone for each statement execute function stats_app_note();
create trigger stats_app_delete after delete on device_app referencing old table as gone for each statement execute function stats_app_note();

-- A terminal of another product takes its apps along. Its name comes before that of `device_app_follow`: they are still where they were.
create function device_app_count() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    delete from device_app where device_id = old.id;
    return old;
  end if;
  insert into stats_change
  select a.dept_path, p.product, 'app', stats_app_of(a.package_name, a.version_code, a.version_name), null::timestamptz, p.n
  from device_app a, (values (old.product_id, -1), (new.product_id, 1)) p(product, n) where a.device_id = new.id and not a.system;
  return null;
end $$;
create trigger device_app_count after update of product_id on device for each row when (old.product_id <> new.product_id) execute function device_app_count();
create trigger device_app_count_delete before delete on device for each row execute function device_app_count();

-- What is there already, counted once while nobody writes.
lock table device, device_app in share row exclusive mode;
insert into stats_now
select a.path, c.measure, c.product_id, c.detail, sum(c.n) from (
  select d.dept_path, p.measure, d.product_id, p.detail, count(*) as n from device d, stats_parts_of(d.modules, d.patch) p where d.deleted_at is null group by 1, 2, 3, 4
  union all
  select i.dept_path, 'app', d.product_id, stats_app_of(i.package_name, i.version_code, i.version_name), count(*)
  from device_app i join device d on d.id = i.device_id where not i.system group by 1, 2, 3, 4
) c, unnest(path_and_above(c.dept_path)) a(path) group by 1, 2, 3, 4;
