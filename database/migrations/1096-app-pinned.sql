-- A subscription that keeps to one version holds that one alone: whoever releases another from above passes its terminals over.
create or replace function app_standings(version bigint, day date) returns table (place text, standing text)
language sql stable security definer set search_path = public, pg_temp as $$
  with of as (select s.* from app_version v join app_subscription s on s.app_id = v.app_id where v.id = version)
  select dept_path, 'blocked' from of where blacklist = '1'
  union all
  select dept_path, 'over' from (
    select distinct on (dept_id) dept_path, valid_until from of where state in ('active', 'ended') and reason <> 'merged' order by dept_id, id desc) last
  where valid_until < day
  union all
  select dept_path, case when version_id is null or version_id = version then 'held' else 'pinned' end
  from of where state = 'active' and (valid_until is null or valid_until >= day)
$$;
