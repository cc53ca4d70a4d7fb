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

-- A new version is told to subscribers once; what is in the catalogue already is no news.
alter table app_version add column told_at timestamptz;
update app_version set told_at = listed_at where listed_at is not null;
-- How many days before its end a term was last told.
alter table app_subscription add column warned_days integer;
create index app_subscription_ends on app_subscription (valid_until) where state = 'active' and valid_until is not null;
