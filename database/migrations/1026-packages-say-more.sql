-- What a package says besides, of which whoever reviews it or lets it be signed should know. Versions that were read before say nothing of it.
alter table app_version
  add column max_sdk integer,
  add column shared_user text not null default '';
alter table signing_job
  add column version_name text not null default '',
  add column version_code bigint,
  add column debuggable boolean not null default false,
  add column test_only boolean not null default false,
  add column shared_user text not null default '';
