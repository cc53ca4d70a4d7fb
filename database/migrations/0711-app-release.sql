-- Which version a release sends: who takes it out of the catalogue finds what is under way.
alter table rollout_task
  add column app_version_id bigint generated always as (case when kind = 'softApp' then (content ->> 'versionId')::bigint end) stored references app_version;
create index rollout_task_app_version on rollout_task (app_version_id) where app_version_id is not null;
