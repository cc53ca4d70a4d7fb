-- Differences that the server makes between two versions. What a person uploads as one stays a package of its own.
create table rollout_difference (
  id bigint generated always as identity primary key,
  content text not null,
  package_id bigint not null references rollout_package on delete cascade,
  base_id bigint not null references rollout_package on delete cascade,
  state text not null default 'generating'
    check (state in ('generating', 'made', 'verified', 'enabled', 'failed', 'verifyFailed', 'givenUp')),
  verification text not null default '0' check (verification in ('0', '1', '2')),
  reason text,
  percent integer not null default 0,
  size bigint not null default 0,
  sha256 text,
  -- In how many frames; 0 of one that needs none.
  frames integer not null default 0,
  seconds real,
  -- One is made at a time in an installation, by who holds its lease; a killed server's lapses.
  lease text,
  lease_until timestamptz,
  tries integer not null default 0,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_by bigint not null,
  created_by_name text not null,
  created_at timestamptz not null default now(),
  made_at timestamptz,
  check (package_id <> base_id),
  check ((state in ('made', 'verified', 'enabled')) <= (sha256 is not null)),
  check (state <> 'enabled' or verification = '1')
);
create unique index rollout_difference_pair on rollout_difference (package_id, base_id);
create index rollout_difference_list on rollout_difference (package_id, created_at, id);
create index rollout_difference_size on rollout_difference (package_id, size, id);
create index rollout_difference_base on rollout_difference (base_id);
create index rollout_difference_bytes on rollout_difference (sha256);
create index rollout_difference_dept on rollout_difference (dept_path);
create index rollout_difference_leased on rollout_difference (lease_until) where lease_until is not null;
create index rollout_difference_waiting on rollout_difference (id) where state in ('generating', 'made');
call inherit_by_path('rollout_difference');
-- How many terminals of a product are at a patch level.
create index device_patch on device (product_id, patch, dept_path) where deleted_at is null and patch is not null;
