-- Who takes payments with terminals, and the shops in which those stand.
create table merchant_merchant (
  id bigint generated always as identity primary key,
  number text not null,
  name text not null,
  kind text not null,
  contact_name text not null default '',
  phone text not null default '',
  email text not null default '',
  country text not null default '',
  region text not null default '',
  city text not null default '',
  address text not null default '',
  postcode text not null default '',
  lat double precision,
  lon double precision,
  remark text not null default '',
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now(),
  revision integer not null default 1,
  check (num_nulls(lat, lon) <> 1)
);
create unique index merchant_merchant_taken on merchant_merchant (dept_id, lower(number));
create index merchant_merchant_number on merchant_merchant (dept_path, number, id);
create index merchant_merchant_name on merchant_merchant (dept_path, name, id);
create index merchant_merchant_list on merchant_merchant (dept_path, created_at, id);
-- Whoever sees many organisations reads them in the order of the list.
create index merchant_merchant_created on merchant_merchant (created_at, id) include (dept_path);
create index merchant_merchant_first on merchant_merchant (number, id) include (dept_path);
create index merchant_merchant_names on merchant_merchant (name, id) include (dept_path);
create index merchant_merchant_lower on merchant_merchant (lower(number));
create index merchant_merchant_kind on merchant_merchant (dept_path, kind, created_at, id);
create index merchant_merchant_country on merchant_merchant (dept_path, country, created_at, id);
create index merchant_merchant_dept on merchant_merchant (dept_id, created_at, id);
create index merchant_merchant_search on merchant_merchant using gin (number gin_trgm_ops, name gin_trgm_ops, phone gin_trgm_ops, address gin_trgm_ops);
call own_by_path('merchant_merchant');
create trigger revision before update of number, name, kind, contact_name, phone, email, country, region, city, address, postcode, lat, lon, remark
  on merchant_merchant for each row execute function revision_next();

-- Of two organisations that are merged each may have a merchant of one number: the one that comes gets its own behind it.
create function merchant_renumber() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from merchant_merchant where dept_id = new.dept_id and lower(number) = lower(new.number)) then
    new.number := left(new.number, 12) || '-' || new.id;
  end if;
  return new;
end $$;
create trigger renumber before update of dept_id on merchant_merchant
  for each row when (new.dept_id <> old.dept_id) execute function merchant_renumber();

create table merchant_shop (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant_merchant on delete cascade,
  number text not null,
  name text not null,
  address text not null default '',
  city text not null default '',
  phone text not null default '',
  time_zone text not null default 'UTC',
  opening_hours jsonb not null default '[]',
  lat double precision,
  lon double precision,
  remark text not null default '',
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now(),
  revision integer not null default 1,
  check (num_nulls(lat, lon) <> 1)
);
create unique index merchant_shop_taken on merchant_shop (merchant_id, lower(number));
create index merchant_shop_of on merchant_shop (merchant_id, number, id);
create index merchant_shop_number on merchant_shop (dept_path, number, id);
create index merchant_shop_name on merchant_shop (dept_path, name, id);
create index merchant_shop_list on merchant_shop (dept_path, created_at, id);
create index merchant_shop_created on merchant_shop (created_at, id) include (dept_path);
create index merchant_shop_first on merchant_shop (number, id) include (dept_path);
create index merchant_shop_search on merchant_shop using gin (number gin_trgm_ops, name gin_trgm_ops, address gin_trgm_ops);
call own_by_path('merchant_shop');
create trigger revision before update of number, name, address, city, phone, time_zone, opening_hours, lat, lon, remark
  on merchant_shop for each row execute function revision_next();

-- New columns that hold nothing: no row of the terminals is written. The indexes, of those alone that stand somewhere, look at each once
-- (under a second for a million).
alter table device
  add column merchant_id bigint references merchant_merchant,
  add column shop_id bigint references merchant_shop;
create index device_merchant on device (merchant_id, created_at, id) where merchant_id is not null;
create index device_shop on device (shop_id, created_at, id) where shop_id is not null;

-- A merchant has terminals of its organisation and of those below it: a terminal that goes elsewhere, alone or with its organisation, leaves it.
create function device_left_merchant() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from merchant_merchant m where m.id = new.merchant_id and starts_with(new.dept_path, m.dept_path)) then
    new.merchant_id := null;
    new.shop_id := null;
  end if;
  return new;
end $$;
create trigger left_merchant before update of dept_path on device
  for each row when (old.merchant_id is not null and new.dept_path <> old.dept_path) execute function device_left_merchant();

-- Terminals that are deleted keep their place for as long as they may be restored; they keep no merchant or shop from going.
create function merchant_forget_deleted() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update device set merchant_id = null, shop_id = null where merchant_id = old.id and deleted_at is not null;
  return old;
end $$;
create trigger forget_deleted before delete on merchant_merchant for each row execute function merchant_forget_deleted();
create function shop_forget_deleted() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update device set shop_id = null where shop_id = old.id and deleted_at is not null;
  return old;
end $$;
create trigger forget_deleted before delete on merchant_shop for each row execute function shop_forget_deleted();

-- Work on a terminal, where it stood at the time.
create table merchant_maintenance (
  id bigint generated always as identity primary key,
  -- No key: its record stays with who made it, also when a later owner deletes the terminal.
  device_id bigint not null,
  sn text collate "C" not null,
  merchant_id bigint references merchant_merchant on delete set null,
  shop_id bigint references merchant_shop on delete set null,
  kind text not null,
  state text not null default 'open' check (state in ('open', 'done')),
  at timestamptz not null,
  engineer text not null default '',
  found text not null default '',
  work_done text not null default '',
  currency text not null default '1' check (currency in ('1', '2')),
  parts jsonb not null default '[]',
  photos bigint[] not null default '{}',
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_by text not null default '',
  created_at timestamptz not null default now(),
  revision integer not null default 1
);
create index merchant_maintenance_at on merchant_maintenance (dept_path, at, id);
create index merchant_maintenance_newest on merchant_maintenance (at, id) include (dept_path);
create index merchant_maintenance_sn on merchant_maintenance (dept_path, sn, id);
create index merchant_maintenance_list on merchant_maintenance (dept_path, created_at, id);
create index merchant_maintenance_kind on merchant_maintenance (dept_path, kind, at, id);
create index merchant_maintenance_state on merchant_maintenance (dept_path, state, at, id);
create index merchant_maintenance_device on merchant_maintenance (device_id, at, id);
create index merchant_maintenance_merchant on merchant_maintenance (merchant_id, at, id);
create index merchant_maintenance_shop on merchant_maintenance (shop_id, at, id);
create index merchant_maintenance_search on merchant_maintenance using gin (sn gin_trgm_ops, engineer gin_trgm_ops, found gin_trgm_ops);
call own_by_path('merchant_maintenance');
create trigger revision before update of kind, at, engineer, found, work_done, currency, parts, photos
  on merchant_maintenance for each row execute function revision_next();

-- Which pictures hang on it: whoever sees the record may read them, and they stay as long as it does.
create table merchant_photo (
  maintenance_id bigint not null references merchant_maintenance on delete cascade,
  file_id bigint not null references file_file,
  dept_path text collate "C" not null,
  primary key (maintenance_id, file_id)
);
create index merchant_photo_file on merchant_photo (file_id);
call own_by_path('merchant_photo');
