-- Values of a template's fields, one row for a template and a place. They count for the terminals at and below the place.
create table paramfile_level (
  id bigint generated always as identity primary key,
  template_id bigint not null references paramfile_template,
  level text not null check (level in ('org', 'merchant', 'shop', 'device')),
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  merchant_id bigint references merchant_merchant on delete cascade,
  shop_id bigint references merchant_shop on delete cascade,
  device_id bigint references device on delete cascade,
  place_id bigint generated always as (coalesce(device_id, shop_id, merchant_id, dept_id)) stored,
  values jsonb not null default '{}',
  locked text[] not null default '{}',
  locked_count integer generated always as (cardinality(locked)) stored,
  secret_keys text[] not null default '{}',
  -- By key, sealed: nothing that answers, exports or logs values reads it.
  sealed bytea,
  given integer not null default 0,
  updated_by text not null,
  updated_at timestamptz not null default now(),
  revision integer not null default 1,
  check (num_nonnulls(merchant_id, shop_id, device_id) = (level <> 'org')::int)
);
create unique index paramfile_level_org on paramfile_level (dept_id, template_id) where level = 'org';
create unique index paramfile_level_merchant on paramfile_level (merchant_id, template_id) where merchant_id is not null;
create unique index paramfile_level_shop on paramfile_level (shop_id, template_id) where shop_id is not null;
create unique index paramfile_level_device on paramfile_level (device_id, template_id) where device_id is not null;
create index paramfile_level_list on paramfile_level (template_id, updated_at, id);
create index paramfile_level_kind on paramfile_level (template_id, level, updated_at, id);
create index paramfile_level_path on paramfile_level (dept_path, updated_at, id);
create index paramfile_level_above on paramfile_level (template_id, dept_path) where level = 'org';

-- Those of an organisation are readable below it, for what is given there; those of its merchants, shops and terminals are its own.
call own_by_path('paramfile_level');
create policy inherited on paramfile_level for select to mooring_app using (level = 'org' and dept_path = any(scope_ancestors()));
create trigger revision before update of values, locked, secret_keys, sealed on paramfile_level for each row execute function revision_next();

-- Of two organisations that are merged the one that stays keeps its values; those of the other go with it, or they would count for terminals of
-- the one that stays.
create function paramfile_level_merged() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from paramfile_level where id = new.id;
  return null;
end $$;
revoke all on function paramfile_level_merged from public;
create trigger merged before update of dept_id on paramfile_level
  for each row when (new.level = 'org' and new.dept_id <> old.dept_id) execute function paramfile_level_merged();

-- What is given for one terminal goes where the terminal goes.
create function paramfile_level_moved() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update paramfile_level set dept_id = new.dept_id, dept_path = new.dept_path where device_id = new.id;
  return null;
end $$;
revoke all on function paramfile_level_moved from public;
create trigger params_moved after update of dept_path on device
  for each row when (new.dept_path <> old.dept_path) execute function paramfile_level_moved();
