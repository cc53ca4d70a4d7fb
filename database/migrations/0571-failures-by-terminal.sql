-- What became of a terminal counts once, as its release's own page has it: a failure that is tried again is none any more, by itself or by a
-- person, and a late word takes the place of the time-out.
create or replace function stats_result_note() returns trigger language plpgsql as $$
declare
  -- Rarely: what isn't, costs the many results nothing.
  is_again boolean := exists (select from gone where state in ('3', '4', '5', '6', '7'));
begin
  if not is_again and not exists (select from added where state in ('3', '4', '5', '6', '7')) then return null; end if;
  with moved as (
    select a.dept_path, a.device_id, a.task_id, a.state, a.reason, coalesce(a.ended_at, a.changed_at) as ended_at, 1 as n
    from added a join gone g on g.id = a.id where a.state in ('3', '4', '5', '6', '7') and a.state <> g.state
    union all
    select g.dept_path, g.device_id, g.task_id, g.state, g.reason, coalesce(g.ended_at, g.changed_at), -1
    from gone g join added a on a.id = g.id where is_again and g.state in ('3', '4', '5', '6', '7') and a.state <> g.state
  ), ended as (
    select m.dept_path, coalesce(d.product_id, t.product_id, 0) as product_id, date_trunc('hour', m.ended_at, 'UTC') as at, m.state in ('3', '6') as good, m.task_id,
      case when m.state in ('3', '6') then '' when m.state = '5' then 'timeout' else coalesce(m.reason, 'unknown') end as reason, sum(m.n) as n
    from moved m join rollout_task t on t.id = m.task_id left join device d on d.id = m.device_id group by 1, 2, 3, 4, 5, 6 having sum(m.n) <> 0
  )
  insert into stats_change
  select dept_path, product_id, case when good then 'succeeded' else 'failed' end, reason, at, sum(n) from ended group by 1, 2, 3, 4, 5
  union all select dept_path, product_id, case when good then 'taskSucceeded' else 'taskFailed' end, task_id::text, at, sum(n) from ended group by 1, 2, 3, 4, 5;
  return null;
end $$;
