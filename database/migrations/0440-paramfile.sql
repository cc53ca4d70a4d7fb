-- Parameter files: one upload holds a file for each of many terminals.
create table paramfile_set (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default '',
  files integer not null,
  size bigint not null,
  -- Digest of whose file is which: two uploads of the same files are the same.
  version text not null,
  file_name text not null,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_by text not null,
  created_at timestamptz not null default now()
);
create index paramfile_set_list on paramfile_set (dept_path, created_at, id);
create index paramfile_set_name on paramfile_set (dept_path, name, id);
call inherit_by_path('paramfile_set');

-- A terminal's file is its organisation's, as the terminal is.
create table paramfile_file (
  id bigint generated always as identity primary key,
  set_id bigint not null references paramfile_set on delete cascade,
  device_id bigint not null,
  sn text collate "C" not null,
  file_name text not null,
  size bigint not null,
  sha256 text not null,
  dept_path text collate "C" not null
);
create unique index paramfile_file_device on paramfile_file (set_id, device_id);
create index paramfile_file_sn on paramfile_file (set_id, sn, id);
create index paramfile_file_list on paramfile_file (dept_path, sn, id);
create index paramfile_file_search on paramfile_file using gin (sn gin_trgm_ops);
create index paramfile_file_set on paramfile_file (dept_path, set_id, id);
create index paramfile_file_bytes on paramfile_file (sha256);
call own_by_path('paramfile_file');

-- What a release sent is kept as long as the release: the database settles the race with its deletion.
alter table rollout_task add column param_set_id bigint generated always as ((content ->> 'setId')::bigint) stored references paramfile_set;
create index rollout_task_param_set on rollout_task (param_set_id) where param_set_id is not null;
