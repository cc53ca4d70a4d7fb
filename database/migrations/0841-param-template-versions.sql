-- Each save of a template's fields is a version: what a release was agreed to goes by those of its time.
alter table paramfile_template add column changed_by text not null default '';
create table paramfile_template_version (
  template_id bigint not null references paramfile_template on delete cascade,
  -- The template's revision from which on these are its fields.
  no integer not null,
  fields jsonb not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  dept_path text collate "C" not null,
  primary key (template_id, no)
);
create index paramfile_template_version_path on paramfile_template_version (dept_path);
call inherit_by_path('paramfile_template_version');
insert into paramfile_template_version (template_id, no, fields, created_by, created_at, dept_path)
  select id, 1, fields, created_by, created_at, dept_path from paramfile_template;

create function paramfile_template_saved() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into paramfile_template_version (template_id, no, fields, created_by, dept_path)
  values (new.id, new.revision, new.fields, coalesce(nullif(new.changed_by, ''), new.created_by), new.dept_path);
  return null;
end $$;
revoke all on function paramfile_template_saved from public;
create trigger saved after insert on paramfile_template for each row execute function paramfile_template_saved();
create trigger saved_again after update of fields on paramfile_template
  for each row when (new.fields is distinct from old.fields) execute function paramfile_template_saved();
