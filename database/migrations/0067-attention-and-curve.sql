-- The devices of a running task stand in an order that holds while they move: what needs a person first, then what is under way, then the rest.
-- By the time of their last change they changed places with each progress, and each progress wrote an entry of that index.
alter table rollout_result add column attention smallint not null generated always as (
  case when state in ('4', '5', '7') then 0 when state = '2' then 1 when state = '8' then 2 when state = '1' then 3 else 4 end
) stored;
create index rollout_result_attention on rollout_result (task_id, attention, id);
drop index rollout_result_changed;

-- A failed device that is tried again has no end any more: the curve loses it, or it would say 2 failed beside "no failures".
create or replace function rollout_tally_note() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if exists (select from (select distinct task_id from added) a where not exists (select from rollout_task t where t.id = a.task_id for key share)) then
      raise foreign_key_violation using message = 'a result of no task';
    end if;
    insert into rollout_tally select task_id, dept_path, ring, state, count(*) from added group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into rollout_tally select task_id, dept_path, ring, state, -count(*) from gone group by 1, 2, 3, 4;
  else
    -- One statement moves its rows to one state: what grew is what moved there. What only followed its unit grew nowhere.
    with changed as (
      select task_id, dept_path, ring, state, sum(n) as n from (
        select task_id, dept_path, ring, state, 1 as n from added union all select task_id, dept_path, ring, state, -1 from gone
      ) d group by 1, 2, 3, 4 having sum(n) <> 0
    ), counted as (
      insert into rollout_tally select task_id, dept_path, ring, state, n from changed
    )
    insert into rollout_minute
    select task_id, dept_path, date_trunc('minute', now()), state, sum(n) from (
      select *, sum(n) over (partition by task_id, state) as grown from changed where state in ('3', '4', '5', '6', '7')
    ) c where grown <> 0 and sign(n) = sign(grown) group by 1, 2, 4;
  end if;
  return null;
end $$;
