-- How organisations stand with an app: barred from it, over by the term of what each was granted last, or subscribed to it. It holds for all below them.
create function app_standings(version bigint, day date) returns table (place text, standing text) language sql stable security definer
  set search_path = public, pg_temp as $$
  with of as (select s.* from app_version v join app_subscription s on s.app_id = v.app_id where v.id = version)
  select dept_path, 'blocked' from of where blacklist = '1'
  union all
  select dept_path, 'over' from (
    select distinct on (dept_id) dept_path, valid_until from of where state in ('active', 'ended') and reason <> 'merged' order by dept_id, id desc) last
  where valid_until < day
  union all
  select dept_path, 'held' from of where state = 'active' and (valid_until is null or valid_until >= day)
$$;
revoke all on function app_standings from public;
grant execute on function app_standings to mooring_app, mooring_system;
