-- Whether releases tried a version, also those of others: it stays for them. Found by `rollout_task_app_version`.
create function app_version_tried(version bigint) returns boolean language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from rollout_task t where t.app_version_id = version)
$$;
revoke all on function app_version_tried from public;
grant execute on function app_version_tried to mooring_app, mooring_system;
