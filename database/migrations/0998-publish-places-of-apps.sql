-- Versions of apps are asked for like packages of releases.
alter table rollout_place alter column package_id drop not null, add column version_id bigint references app_version on delete cascade,
  add constraint rollout_place_of check (num_nonnulls(package_id, version_id) = 1),
  drop constraint rollout_place_package_id_domain_id_key,
  add constraint rollout_place_once unique nulls not distinct (package_id, version_id, domain_id);
create index rollout_place_version on rollout_place (version_id) where version_id is not null;

alter table app_version add column publish_round integer not null default 0, add column publish_at timestamptz, add column publish_by bigint;
create index app_version_publishing on app_version (publish_at) where publish_state = '2';
