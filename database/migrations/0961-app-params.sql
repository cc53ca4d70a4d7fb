-- A release of an app may carry parameters: its template stays as long as the release.
alter table rollout_task
  add column app_param_template_id bigint generated always as (case when kind = 'softApp' then (content ->> 'templateId')::bigint end) stored references paramfile_template;
create index rollout_task_app_param_template on rollout_task (app_param_template_id) where app_param_template_id is not null;
