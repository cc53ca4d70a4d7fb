-- What the rings of a task stand at: when each opened and by whom, when it reached its success share, and whether people were told that it
-- waits for one of them.
create table rollout_ring (
  task_id bigint not null references rollout_task on delete cascade,
  ring integer not null,
  opened_at timestamptz not null,
  opened_by_name text,
  ready_at timestamptz,
  told_at timestamptz,
  -- Failures of this ring that a person has let the task go on with.
  accepted_failed integer not null default 0,
  dept_path text collate "C" not null,
  primary key (task_id, ring)
);
call inherit_by_path('rollout_ring');

-- Failures and ends that a person has let the task go on with: what halts it again is what comes after.
alter table rollout_task add column accepted_failed integer not null default 0, add column accepted_ended integer not null default 0;

insert into rollout_ring (task_id, ring, opened_at, dept_path)
select t.id, r.ring, coalesce(t.started_at, now()), t.dept_path
from rollout_task t, generate_series(1, t.open_ring) as r(ring) where t.state in ('running', 'paused', 'halted');

-- A share says up to which percentage of all now, as "5 %, 25 %, 100 %" reads; it was added to the ones before.
update rollout_task t set delivery = jsonb_set(t.delivery, '{rings}', (
  select jsonb_agg(e.ring || jsonb_build_object('share', case when e.no = e.of then 100 else greatest(e.no, least(99 - e.of + e.no, e.upto * 100 / greatest(100, e.total))) end) order by e.no)
  from (
    select ring, no, count(*) over () as of, sum((ring->>'share')::int) over (order by no) as upto, sum((ring->>'share')::int) over () as total
    from jsonb_array_elements(t.delivery->'rings') with ordinality as r(ring, no)
  ) e
)) where jsonb_typeof(t.delivery->'rings') = 'array';
