-- What of a terminal a release occupies besides its kind: of apps each package name by itself, so that two of them reach one terminal.
alter table rollout_result add column part text not null default '';
create unique index rollout_result_busy_part on rollout_result (device_id, kind, part) where state = '2';
drop index rollout_result_busy;
alter index rollout_result_busy_part rename to rollout_result_busy;

-- Apps on terminals, as they say themselves: a row is written when it changes. `version_code` orders versions; a terminal that doesn't say it has none.
create table device_app (
  device_id bigint not null references device on delete cascade,
  package_name text collate "C" not null,
  name text,
  version_name text not null,
  version_code bigint,
  -- SHA-256 of the certificate that signed it.
  certificate text,
  -- What the terminal can't do without: never removed.
  system boolean not null default false,
  since timestamptz not null default now(),
  dept_path text collate "C" not null,
  primary key (device_id, package_name)
) with (fillfactor = 80);
create index device_app_version on device_app (package_name, dept_path, version_code);
call own_by_path('device_app');

-- Goes where its terminal goes; a terminal that is deleted keeps none.
create function device_app_follow() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.deleted_at is not null then
    delete from device_app where device_id = new.id;
  else
    update device_app set dept_path = new.dept_path where device_id = new.id and dept_path <> new.dept_path;
  end if;
  return null;
end $$;
revoke all on function device_app_follow from public;
create trigger device_app_follow after update of dept_path, deleted_at on device for each row
  when (old.dept_path <> new.dept_path or old.deleted_at is distinct from new.deleted_at) execute function device_app_follow();

-- Names of packages alone, as from now on.
insert into device_app (device_id, package_name, name, version_name, dept_path)
select distinct on (d.id, a.id) d.id, a.id, a.name, a.version, d.dept_path
from device d, jsonb_to_recordset(d.apps) as a(id text, name text, version text)
where d.deleted_at is null and a.version is not null and length(a.id) <= 255 and a.id ~ '^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$';

-- Which apps there are on terminals of the scope, by a pattern of their names, `most` at most: from one name to the next in the index, whoever has
-- it; then whether the scope has it too. What terminals call their apps is theirs to say, so no more than so many names are looked at.
create function device_app_names(pattern text, most int) returns table (package_name text, name text) language sql stable rows 50 security definer set search_path = public, pg_temp as $$
  with recursive names as (
    (select a.package_name, 1 as step from device_app a order by a.package_name limit 1)
    union all
    select (select a.package_name from device_app a where a.package_name > n.package_name order by a.package_name limit 1), n.step + 1
    from names n where n.package_name is not null and n.step < 5000
  )
  select n.package_name, own.name from names n
  cross join lateral (
    select a.name from device_app a
    where a.package_name = n.package_name and a.dept_path >= scope_path() and a.dept_path < scope_path() || '~' limit 1
  ) own
  where n.package_name is not null and (n.package_name ilike pattern or own.name ilike pattern) limit most
$$;
revoke all on function device_app_names from public;
grant execute on function device_app_names to mooring_app, mooring_system;
