-- Whether the bytes of a signature beside a file stay, for terminals; those whose time was over before are gone.
alter table signing_job add column keeps_after boolean not null default false;
-- Records of what was signed are final; this adds to them.
alter table signing_job disable trigger final;
update signing_job set keeps_after = true where kept_until is not null and profile = 'cms' and profile_kind <> '';
alter table signing_job enable trigger final;
-- Organisations whose terminals have a release already, asked by whoever decides: one of another region sees none of them.
create function rollout_has_owners(task bigint) returns boolean language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from rollout_tally y join rollout_task t on t.id = y.task_id join org_dept o on o.dept_path = y.dept_path
    where y.task_id = task and y.ring <= t.open_ring and o.kind = 'organisation' and y.state not in ('9', '10')
    group by y.dept_path having sum(y.n) > 0)
$$;
revoke all on function rollout_has_owners from public;
grant execute on function rollout_has_owners to mooring_app, mooring_system;
-- What of a release lies below an organisation, and all of it.
create index rollout_tally_place on rollout_tally (task_id, dept_path);
drop index rollout_tally_task;
