-- Apps: organisations that bring them, the apps, and their versions.
create table app_developer (
  id bigint generated always as identity primary key,
  contact_name text not null,
  email text not null,
  phone text not null default '',
  website text not null default '',
  about text not null default '',
  state text not null default 'applied' check (state in ('applied', 'accepted', 'refused', 'suspended')),
  reason text not null default '',
  decided_by text not null default '',
  applied_by_id bigint,
  applied_by text not null default '',
  applied_at timestamptz not null default now(),
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  revision integer not null default 1
);
create index app_developer_dept on app_developer (dept_id, id);
create index app_developer_list on app_developer (dept_path, applied_at, id);
create index app_developer_waiting on app_developer (dept_path) where state = 'applied';
call own_by_path('app_developer');
create trigger revision before update of contact_name, email, phone, website, about on app_developer for each row execute function revision_next();

create table app_app (
  id bigint generated always as identity primary key,
  package_name text collate "C" not null,
  name text not null,
  icon_id bigint references file_file,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  -- Of an organisation that was merged into another one which has this app too.
  twin boolean not null default false,
  created_by_id bigint,
  created_by text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
-- Two organisations may each carry the same maker's app; a terminal tells them apart by their certificates.
create unique index app_app_taken on app_app (dept_id, package_name) where deleted_at is null and not twin;
create index app_app_list on app_app (dept_path, updated_at, id);
create index app_app_dept on app_app (dept_id, id);
create index app_app_icon on app_app (icon_id);
create index app_app_search on app_app using gin (name gin_trgm_ops, package_name gin_trgm_ops);
call own_by_path('app_app');

create table app_version (
  id bigint generated always as identity primary key,
  app_id bigint not null references app_app on delete cascade,
  package_name text collate "C" not null,
  version_code bigint not null,
  -- Free text: it may hold spaces and brackets, or be empty.
  version_name text not null,
  file_id bigint not null references file_file,
  file_name text not null,
  size bigint not null,
  sha256 text not null,
  md5 text not null,
  icon_id bigint references file_file,
  certificate_sha256 text not null,
  signer jsonb,
  lineage text[] not null default '{}',
  schemes text[] not null default '{}',
  valid_from integer not null,
  min_sdk integer not null,
  target_sdk integer not null,
  abis text[] not null default '{}',
  permissions text[] not null default '{}',
  features text[] not null default '{}',
  labels jsonb not null default '{}',
  debuggable boolean not null default false,
  test_only boolean not null default false,
  public_test_key boolean not null default false,
  channel text not null default 'release' check (channel in ('release', 'test')),
  review_state text not null default '0' check (review_state in ('0', '1', '2', '3', '4')),
  publish_state text not null default '0' check (publish_state in ('0', '1', '2', '3')),
  -- For whom: 0 the owner and all at and below whoever approved it, 1 the listed organisations, 2 the listed serial numbers.
  scope text not null default '0' check (scope in ('0', '1', '2')),
  listing jsonb not null default '{}',
  screenshots bigint[] not null default '{}',
  content_hash text not null default '',
  comment text not null default '',
  -- The organisation that approved it, for which and for all below which it is in the catalogue.
  market_id bigint references org_dept,
  decided_by_id bigint,
  decided_by text not null default '',
  decided_at timestamptz,
  -- A reviewer took it out of the catalogue: only a reviewer puts it back.
  withheld boolean not null default false,
  -- Who wrote what is said of it last: that isn't theirs to approve.
  edited_by_id bigint,
  submitted_by_id bigint,
  submitted_by text not null default '',
  submitted_at timestamptz,
  -- When it was approved for the first time.
  listed_at timestamptz,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_by_id bigint,
  created_by text not null default '',
  created_at timestamptz not null default now(),
  edited_at timestamptz not null default now(),
  revision integer not null default 1,
  deleted_at timestamptz
);
create unique index app_version_taken on app_version (app_id, version_code) where deleted_at is null;
create index app_version_list on app_version (dept_path, created_at, id);
create index app_version_app on app_version (app_id, created_at, id);
create index app_version_newest on app_version (created_at, id) include (dept_path);
create index app_version_code on app_version (dept_path, version_code, id);
create index app_version_submitted on app_version (dept_path, submitted_at, id);
create index app_version_state on app_version (dept_path, review_state, created_at, id);
create index app_version_publish on app_version (dept_path, publish_state, created_at, id);
create index app_version_channel on app_version (dept_path, channel, created_at, id);
create index app_version_dept_id on app_version (dept_id, created_at, id);
create index app_version_waiting on app_version (dept_path) where review_state = '1' and deleted_at is null;
create index app_version_package on app_version (file_id);
create index app_version_icon on app_version (icon_id);
create index app_version_market on app_version (market_id) where market_id is not null;
create index app_version_search on app_version using gin (package_name gin_trgm_ops, version_name gin_trgm_ops);
call own_by_path('app_version');
create trigger revision before update of edited_at on app_version for each row execute function revision_next();

-- Which products it is for.
create table app_version_product (
  version_id bigint not null references app_version on delete cascade,
  product_id bigint not null references product_product,
  dept_path text collate "C" not null,
  primary key (version_id, product_id)
);
create index app_version_product_of on app_version_product (product_id);
create index app_version_product_dept on app_version_product (dept_path);
call own_by_path('app_version_product');

-- Which organisations: `dept_id` and `dept_path` are theirs, and follow them when they move or are merged.
create table app_version_dept (
  id bigint generated always as identity primary key,
  version_id bigint not null references app_version on delete cascade,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null
);
create index app_version_dept_of on app_version_dept (version_id, dept_id);
create index app_version_dept_path on app_version_dept (dept_path);
create index app_version_dept_dept on app_version_dept (dept_id);
alter table app_version_dept enable row level security;
create policy everything on app_version_dept to mooring_system using (true) with check (true);

-- Which terminals.
create table app_version_sn (
  version_id bigint not null references app_version on delete cascade,
  sn text collate "C" not null,
  dept_path text collate "C" not null,
  primary key (version_id, sn)
);
create index app_version_sn_dept on app_version_sn (dept_path);
call own_by_path('app_version_sn');

-- Screenshots: whoever sees the version may read them.
create table app_version_file (
  version_id bigint not null references app_version on delete cascade,
  file_id bigint not null references file_file,
  dept_path text collate "C" not null,
  primary key (version_id, file_id)
);
create index app_version_file_file on app_version_file (file_id);
create index app_version_file_dept on app_version_file (dept_path);
call own_by_path('app_version_file');

-- What the scope may have of others. Past the policies, which would ask each other in a circle.
create function app_listed_here() returns setof bigint language sql stable security definer set search_path = public, pg_temp as $$
  select d.version_id from app_version_dept d where d.dept_path = any((select scope_ancestors())::text[])
$$;
create function app_on_terminals_here() returns setof bigint language sql stable security definer set search_path = public, pg_temp as $$
  select distinct s.version_id from app_version_sn s join device d on d.sn = s.sn and d.deleted_at is null
  where s.dept_path = any((select scope_ancestors())::text[]) and d.dept_path >= scope_path() and d.dept_path < scope_path() || '~'
$$;
-- At and below which paths a version is listed: whoever approved it and its owner, or the listed organisations; of one for terminals none.
create function app_places(version bigint) returns setof text language sql stable security definer set search_path = public, pg_temp as $$
  select place from app_version v left join org_dept o on o.id = v.market_id, unnest(array[o.dept_path, v.dept_path]) place
  where v.id = version and v.scope = '0' and place is not null
  union all
  select d.dept_path from app_version v join app_version_dept d on d.version_id = v.id where v.id = version and v.scope = '1'
$$;
-- Whether a version is in the catalogue of an organisation.
create function app_listed_for(version bigint, path text) returns boolean language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from app_version v where v.id = version and v.review_state = '2' and v.publish_state in ('1', '3') and v.deleted_at is null and (
    exists (select from app_places(version) place where starts_with(path, place)) or v.scope = '2' and exists (
      select from app_version_sn s join device d on d.sn = s.sn and d.deleted_at is null
      where s.version_id = v.id and starts_with(path, s.dept_path) and starts_with(d.dept_path, path))))
$$;
revoke all on function app_places, app_listed_for from public;
grant execute on function app_places, app_listed_for to mooring_app, mooring_system;
-- What an organisation approved is in the catalogue of the one that it was merged into, however often that goes on.
create function app_market_follow() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update app_version set market_id = new.merged_into where market_id = new.id;
  return null;
end $$;
revoke all on function app_market_follow from public;
create trigger app_market_follow after update of merged_into on org_dept
  for each row when (new.merged_into is distinct from old.merged_into and new.merged_into is not null) execute function app_market_follow();
-- Whoever sees an app may know whose it is, also where that organisation is beside their own.
create function app_owner_name(app bigint) returns text language sql stable security definer set search_path = public, pg_temp as $$
  select o.name from app_app a join org_dept o on o.id = a.dept_id where a.id = app
$$;
create function app_for_all_here() returns setof bigint language sql stable security definer set search_path = public, pg_temp as $$
  select v.id from app_version v left join org_dept o on o.id = v.market_id
  where v.scope = '0' and v.publish_state in ('1', '3') and v.deleted_at is null
    and (o.dept_path = any((select scope_ancestors())::text[]) or v.dept_path = any((select scope_ancestors())::text[]))
$$;
create policy listed on app_version for select to mooring_app using (
  publish_state in ('1', '3') and deleted_at is null and case scope
    when '0' then id in (select app_for_all_here())
    when '1' then id in (select app_listed_here())
    else id in (select app_on_terminals_here()) end);
-- Whose version it is says for whom it is, wherever those stand by now.
create policy owned on app_version_dept to mooring_app
  using (exists (select from app_version v where v.id = version_id and v.dept_path >= scope_path() and v.dept_path < scope_path() || '~'))
  with check (exists (select from app_version v where v.id = version_id and v.dept_path >= scope_path() and v.dept_path < scope_path() || '~'));
create policy listed on app_app for select to mooring_app using (deleted_at is null and exists (select from app_version v where v.app_id = app_app.id));
create policy listed on app_version_product for select to mooring_app using (exists (select from app_version v where v.id = version_id));
create policy listed on app_version_file for select to mooring_app using (exists (select from app_version v where v.id = version_id));

-- Of two organisations that are merged each may have an app of one package name: the one that comes stands beside the other.
create function app_twin() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from app_app where dept_id = new.dept_id and package_name = new.package_name and deleted_at is null and not twin and id <> new.id) then
    new.twin := true;
  end if;
  return new;
end $$;
create trigger app_twin before update of dept_id on app_app
  for each row when (new.dept_id <> old.dept_id) execute function app_twin();
