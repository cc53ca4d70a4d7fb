-- What is published once more keeps its state: that it is being asked for is said by `publish_at` alone. Each publication has its number, so that an answer to an
-- earlier one is told apart, and one server asks at a time, until `publish_held`.
alter table rollout_package add column publish_no integer not null default 0, add column publish_held timestamptz;
alter table app_version add column publish_no integer not null default 0, add column publish_held timestamptz;
drop index rollout_package_publishing;
drop index app_version_publishing;
create index rollout_package_publishing on rollout_package (publish_at) where publish_at is not null;
create index app_version_publishing on app_version (publish_at) where publish_at is not null;
-- Looked through each minute for those that nothing is missing of any more.
create index rollout_package_partly on rollout_package (id) where publish_state = '3';
create index app_version_partly on app_version (id) where publish_state = '3';

-- Asked for each download by the domains of its terminal.
drop index rollout_place_away;
create index rollout_place_away on rollout_place (sha256, domain_id) where domain_id is not null;

-- What was found at another address, or of one that isn't asked any more, says nothing. Packages of organisations below are asked there too, which whoever changes it may not see.
create function settings_domain_places() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from rollout_place where domain_id = new.id;
  return null;
end $$;
revoke all on function settings_domain_places from public;
create trigger settings_domain_places after update of url, enabled, checked, dept_id, dept_path on settings_download_domain
  for each row when (old.url <> new.url or old.dept_path <> new.dept_path or not new.enabled or not new.checked) execute function settings_domain_places();
