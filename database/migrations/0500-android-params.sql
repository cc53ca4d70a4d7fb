-- Parameter templates: which parameters there are, and what may be given for each.
create table paramfile_template (
  id bigint generated always as identity primary key,
  name text not null,
  product_id bigint references product_product,
  fields jsonb not null,
  field_count integer generated always as (jsonb_array_length(fields)) stored,
  remark text not null default '',
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  revision integer not null default 1
);
create index paramfile_template_list on paramfile_template (dept_path, created_at, id);
create index paramfile_template_name on paramfile_template (dept_path, name, id);
create index paramfile_template_product on paramfile_template (product_id) where product_id is not null;
call inherit_by_path('paramfile_template');
create trigger revision before update of name, fields, remark on paramfile_template for each row execute function revision_next();

-- Secrets of a release, sealed: nothing that answers, exports or logs releases reads them. `digest` is of all that the release sets.
create table paramfile_secret (
  id bigint generated always as identity primary key,
  template_id bigint not null references paramfile_template on delete cascade,
  keys text[] not null,
  sealed bytea not null,
  digest text not null,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now()
);
create index paramfile_secret_list on paramfile_secret (dept_path, id);
create index paramfile_secret_template on paramfile_secret (template_id);
call own_by_path('paramfile_secret');

-- A template stays as long as releases by it, so that what they set can be put back; secrets go with the last release that has them.
alter table rollout_task
  add column param_template_id bigint generated always as (case when kind = 'androidParam' then (content ->> 'templateId')::bigint end) stored references paramfile_template,
  add column param_secret_id bigint generated always as (case when kind = 'androidParam' then (content ->> 'kept')::bigint end) stored references paramfile_secret;
create index rollout_task_param_template on rollout_task (param_template_id) where param_template_id is not null;
create index rollout_task_param_secret on rollout_task (param_secret_id) where param_secret_id is not null;
create function paramfile_secret_left() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from paramfile_secret s where s.id = old.param_secret_id and not exists (select from rollout_task t where t.param_secret_id = s.id);
  return null;
end $$;
revoke all on function paramfile_secret_left from public;
create trigger paramfile_secret_deleted after delete on rollout_task
  for each row when (old.param_secret_id is not null) execute function paramfile_secret_left();
create trigger paramfile_secret_changed after update of content on rollout_task
  for each row when (old.param_secret_id is not null and old.param_secret_id is distinct from new.param_secret_id) execute function paramfile_secret_left();

-- General releases: several kinds in one list.
create index rollout_task_kind on rollout_task (kind, created_at, id);
create index rollout_task_kind_name on rollout_task (kind, name, id);

-- Parameters that a terminal says it has; of a secret only that it is set.
alter table device add column android_params jsonb not null default '{}';
