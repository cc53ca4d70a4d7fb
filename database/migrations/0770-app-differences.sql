-- Differences of apps: of two versions of an app instead of two packages, and in two forms of which a terminal gets what it can apply.
alter table rollout_difference
  alter column package_id drop not null,
  alter column base_id drop not null,
  add column app_version_id bigint references app_version on delete cascade,
  add column app_base_id bigint references app_version on delete cascade,
  add column form text not null default 'image' check (form in ('image', 'entries')),
  add constraint rollout_difference_sides check (
    num_nonnulls(package_id, base_id) = 2 and num_nonnulls(app_version_id, app_base_id) = 0
    or num_nonnulls(package_id, base_id) = 0 and num_nonnulls(app_version_id, app_base_id) = 2),
  add constraint rollout_difference_apart check (app_version_id <> app_base_id),
  -- Whatever the kind: with `content`, what it leads to and what it starts from.
  add column target_id bigint generated always as (coalesce(package_id, app_version_id)) stored,
  add column from_id bigint generated always as (coalesce(base_id, app_base_id)) stored;
create unique index rollout_difference_app_pair on rollout_difference (app_version_id, app_base_id, form) where app_version_id is not null;
create index rollout_difference_app_base on rollout_difference (app_base_id) where app_base_id is not null;
create index rollout_difference_of on rollout_difference (target_id, content, created_at, id);
create index rollout_difference_by_size on rollout_difference (target_id, content, size, id);
drop index rollout_difference_list;
drop index rollout_difference_size;
