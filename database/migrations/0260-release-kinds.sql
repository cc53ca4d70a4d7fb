-- Packages and releases of every kind. What was firmware alone becomes one kind of several.

alter table firmware_package rename to rollout_package;
alter table rollout_package
  -- The kind of release that it is for, and the part of which it is a version, where the kind has several.
  add column content text not null default 'firmware',
  add column name text not null default '';
alter index firmware_package_pkey rename to rollout_package_pkey;
alter index firmware_package_list rename to rollout_package_list;
drop index firmware_package_version;
create unique index rollout_package_version on rollout_package (product_id, content, name, kind, version, base) nulls not distinct where deleted_at is null;

-- For servers of the version before, which know firmware alone; goes with 0.4.
create view firmware_package with (security_invoker = true) as
  select id, product_id, version, kind, base, file_id, file_name, size, sha256, md5, note, publish_state, key_id, signature, dept_id, dept_path,
    created_by, created_by_name, created_at, full_sha256, full_size, deleted_at
  from rollout_package where content = 'firmware';

-- A release sends a package, or content that its kind declares; of a part (a module, a list of apps), or of all of the kind.
alter table rollout_task alter column package_id drop not null, alter column product_id drop not null;
alter table rollout_task add column content jsonb, add column subject text not null default '';
alter table rollout_task add constraint rollout_task_sends check ((package_id is null) = (content is not null));
drop trigger revision on rollout_task;
create trigger revision before update of name, package_id, product_id, content, release_scope, scope, delivery, start_at, expires_at, remark on rollout_task
  for each row execute function revision_next();

-- What was set on a terminal and holds, as it reported: section → digest of its values.
alter table device add column settings jsonb not null default '{}';
