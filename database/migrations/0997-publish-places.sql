-- Where a published package is to be had: the server's own store (no domain), and each download domain whose terminals it may go to.
create table rollout_place (
  id bigint generated always as identity primary key,
  package_id bigint not null references rollout_package on delete cascade,
  domain_id bigint references settings_download_domain on delete cascade,
  -- As it was when it was asked.
  name text not null default '',
  url text not null default '',
  sha256 text not null,
  -- Not asked yet, or asked again: null.
  there boolean,
  attempts integer not null default 0,
  tried_at timestamptz,
  problem text,
  detail text not null default '',
  dept_path text collate "C" not null,
  unique nulls not distinct (package_id, domain_id)
);
create index rollout_place_dept on rollout_place (dept_path);
create index rollout_place_domain on rollout_place (domain_id);
-- Asked for each download that a domain might take over.
create index rollout_place_away on rollout_place (sha256) where domain_id is not null;
call own_by_path('rollout_place');
revoke insert, update on rollout_place from mooring_app;

-- The round of asking, when the next one is due, and who is told what came of it.
alter table rollout_package add column publish_round integer not null default 0, add column publish_at timestamptz, add column publish_by bigint;
create index rollout_package_publishing on rollout_package (publish_at) where publish_state = '2';

-- A cache that terminals alone reach can't be asked by the server.
alter table settings_download_domain add column checked boolean not null default true;
create or replace trigger revision before update of name, url, dept_id, enabled, checked on settings_download_domain for each row execute function revision_next();
