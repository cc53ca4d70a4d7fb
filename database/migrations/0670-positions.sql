-- Where terminals stand. The newest word stays with presence; what was kept last of it decides whether the next one is kept too.
alter table device_presence
  add column accuracy real,
  add column positioned_at timestamptz,
  add column kept_lat double precision,
  add column kept_lon double precision,
  add column kept_at timestamptz;

-- Metres between two positions, as far as a terminal's walk needs them.
create function metres_between(lat1 double precision, lon1 double precision, lat2 double precision, lon2 double precision) returns double precision
  language sql immutable parallel safe
  return 6371000 * 2 * asin(least(1, sqrt(power(sin(radians(lat2 - lat1) / 2), 2) + cos(radians(lat1)) * cos(radians(lat2)) * power(sin(radians(lon2 - lon1) / 2), 2))));

-- Where a terminal was: a row when it had moved, and now and then while it stays. No reference to the device, as with its health.
create table device_track (
  device_id bigint not null,
  at timestamptz not null,
  lat double precision not null,
  lon double precision not null,
  accuracy real,
  source text not null,
  -- Whose it was at the time: who has the terminal later sees where it was since.
  dept_path text collate "C" not null,
  primary key (device_id, at)
) partition by range (at);
call own_by_path('device_track');
create table device_track_default partition of device_track default;
call own_by_path('device_track_default');
revoke insert, update, delete on device_track, device_track_default from mooring_app;

create or replace function keep_days(parent text, days integer) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  day timestamptz;
  part text;
  old record;
begin
  if parent not in ('device_health', 'device_track') then
    raise exception 'no history by days: %', parent;
  end if;
  perform pg_advisory_xact_lock(7105);
  for ahead in 0..2 loop
    day := date_trunc('day', now(), 'UTC') + make_interval(days => ahead);
    part := parent || to_char(day at time zone 'UTC', '_YYYYMMDD');
    if to_regclass(part) is null then
      begin
        execute format('create table %I partition of %I for values from (%L) to (%L)', part, parent, day, day + interval '24 hours');
        execute format('call own_by_path(%L)', part);
      exception when check_violation then
        -- Rows of that day stand in the default partition already; the next day gets one of its own.
        null;
      end;
    end if;
  end loop;
  for old in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent::regclass and c.relname ~ '_[0-9]{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < (now() at time zone 'UTC')::date - days
  loop
    execute format('drop table %I', old.relname);
  end loop;
end $$;

-- The square of the map in which a position lies, at the finest of twenty levels; each level above is two bits less. Squares as map tiles have them.
create function device_cell(lat double precision, lon double precision) returns bigint
  language plpgsql immutable parallel safe strict as $$
declare
  sine double precision := sin(radians(greatest(-85.05112878, least(85.05112878, lat))));
  x bigint := greatest(0, least(1048575, floor((lon + 180) / 360 * 1048576)::bigint));
  y bigint := greatest(0, least(1048575, floor((0.5 - ln((1 + sine) / (1 - sine)) / (4 * pi())) * 1048576)::bigint));
begin
  x := (x | (x << 16)) & 281470681808895;
  x := (x | (x << 8)) & 71777214294589695;
  x := (x | (x << 4)) & 1085102592571150095;
  x := (x | (x << 2)) & 3689348814741910323;
  x := (x | (x << 1)) & 6148914691236517205;
  y := (y | (y << 16)) & 281470681808895;
  y := (y | (y << 8)) & 71777214294589695;
  y := (y | (y << 4)) & 1085102592571150095;
  y := (y | (y << 2)) & 3689348814741910323;
  y := (y | (y << 1)) & 6148914691236517205;
  return x | (y << 1);
end $$;

-- Where each terminal stands on the map, with what the map counts of it; without a position it has a row too. A change of state touches no index.
create table device_place (
  device_id bigint primary key references device on delete cascade,
  dept_path text collate "C" not null,
  product_id bigint not null,
  status text not null,
  deleted boolean not null,
  merchant_id bigint,
  shop_id bigint,
  lat double precision,
  lon double precision,
  accuracy real,
  -- Its own word (gps, wifi, …), or where its shop or merchant stands.
  source text,
  at timestamptz,
  cell bigint generated always as (device_cell(lat, lon)) stored,
  check (num_nulls(lat, lon, source) in (0, 3))
) with (fillfactor = 70);
create index device_place_cell on device_place (cell) where cell is not null;
create index device_place_dept on device_place (dept_path, cell);
call own_by_path('device_place');

-- How many stand in each square, by product and state, with the sums of their positions (in 1/100,000 degree). Differences first, written with
-- their rows; added up for the organisation and all above it by the worker. Square -1: nowhere.
create table device_map_change (
  dept_path text collate "C" not null,
  product_id bigint not null,
  status text not null,
  cell bigint not null,
  n bigint not null,
  lat bigint not null,
  lon bigint not null
);
create index device_map_change_dept on device_map_change (dept_path);
call own_by_path('device_map_change');
create table device_map_cell (
  dept_path text collate "C" not null,
  level smallint not null,
  cell bigint not null,
  product_id bigint not null,
  status text not null,
  n bigint not null,
  lat bigint not null,
  lon bigint not null,
  primary key (dept_path, level, cell, product_id, status)
) with (fillfactor = 70);
call own_by_path('device_map_cell');
revoke insert, update, delete on device_map_change, device_map_cell from mooring_app;

create function device_map_note() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into device_map_change
    select dept_path, product_id, status, coalesce(cell >> 16, -1), count(*), coalesce(sum(round(lat * 1e5)), 0), coalesce(sum(round(lon * 1e5)), 0)
    from added where not deleted group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into device_map_change
    select dept_path, product_id, status, coalesce(cell >> 16, -1), -count(*), -coalesce(sum(round(lat * 1e5)), 0), -coalesce(sum(round(lon * 1e5)), 0)
    from gone where not deleted group by 1, 2, 3, 4;
  else
    insert into device_map_change
    select dept_path, product_id, status, coalesce(cell >> 16, -1), sum(n), sum(n * coalesce(round(lat * 1e5), 0)), sum(n * coalesce(round(lon * 1e5), 0)) from (
      select dept_path, product_id, status, cell, lat, lon, 1 as n from added where not deleted
      union all select dept_path, product_id, status, cell, lat, lon, -1 from gone where not deleted
    ) d group by 1, 2, 3, 4
    having sum(n) <> 0 or sum(n * coalesce(round(lat * 1e5), 0)) <> 0 or sum(n * coalesce(round(lon * 1e5), 0)) <> 0;
  end if;
  return null;
end $$;
revoke all on function device_map_note from public;
create trigger device_map_insert after insert on device_place referencing new table as added for each statement execute function device_map_note();
create trigger device_map_update after update on device_place referencing new table as added old table as gone for each statement execute function device_map_note();
create trigger device_map_delete after delete on device_place referencing old table as gone for each statement execute function device_map_note();

-- Terminals that never said where they are stand where their shop does, or their merchant. Their rows are locked first, so that what is read then is the
-- newest of both: a shop and its merchant may move at the same time.
create function device_place_inherit(ids bigint[]) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from device_place where device_id = any(ids) order by device_id for no key update;
  update device_place p set lat = x.lat, lon = x.lon, accuracy = null, source = x.source, at = null
  from (
    select d.id, coalesce(s.lat, m.lat) as lat, case when s.lat is null then m.lon else s.lon end as lon,
      case when s.lat is not null then 'shop' when m.lat is not null then 'merchant' end as source
    from device d left join merchant_merchant m on m.id = d.merchant_id left join merchant_shop s on s.id = d.shop_id
    where d.id = any(ids)
  ) x
  where p.device_id = x.id and (p.source is null or p.source in ('shop', 'merchant'))
    and (p.lat, p.lon, p.source) is distinct from (x.lat, x.lon, x.source);
end $$;
revoke all on function device_place_inherit from public;

-- Merchants and shops to which terminals come stay where they are until that is written: one that moves at once would miss them.
create function device_place_hold(merchants bigint[], shops bigint[]) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from merchant_merchant where id = any(merchants) order by id for share;
  perform from merchant_shop where id = any(shops) order by id for share;
end $$;
revoke all on function device_place_hold from public;

-- Terminals that came and went within the last hour or so: what an open page of those in contact shows, and its curve by the minute.
create table device_contact (
  at timestamptz not null default now(),
  device_id bigint not null,
  came boolean not null,
  product_id bigint not null,
  dept_path text collate "C" not null
);
create index device_contact_dept on device_contact (dept_path, at) include (came, product_id);
-- Who sees many organisations reads the newest of all; and what is old is dropped by it.
create index device_contact_at on device_contact (at) include (dept_path, came, product_id);
call own_by_path('device_contact');
revoke insert, update, delete on device_contact from mooring_app;

-- A place holds what its terminal was before. Statements over `added` are planned each time: a plan is kept without regard to how many rows there are,
-- and the one of a statement that changed none, or very many, is a bad one for the next. Whose another it is now, or who lies in stock, forgets its last
-- word: who has it then doesn't see where it stood before. A unit that moves has taken its places along already.
create function device_place_follow() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changed bigint[];
  placed bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(id) into placed from added where merchant_id is not null;
    if placed is not null then
      perform device_place_hold(array(select merchant_id from added), array(select shop_id from added));
    end if;
    insert into device_place (device_id, dept_path, product_id, status, deleted, merchant_id, shop_id)
    select id, dept_path, product_id, status, deleted_at is not null, merchant_id, shop_id from added;
    if placed is not null then perform device_place_inherit(placed); end if;
    return null;
  end if;
  execute $q$
    select array_agg(a.id order by a.id), array_agg(a.id order by a.id) filter (
      where (a.dept_path, a.merchant_id, a.shop_id) is distinct from (p.dept_path, p.merchant_id, p.shop_id) or (a.status = '5' and p.status <> '5'))
    from added a join device_place p on p.device_id = a.id
    where (a.status, a.dept_path, a.product_id, a.deleted_at is not null, a.merchant_id, a.shop_id)
      is distinct from (p.status, p.dept_path, p.product_id, p.deleted, p.merchant_id, p.shop_id)
  $q$ into changed, placed;
  if changed is null then return null; end if;
  if placed is not null then
    perform device_place_hold(array(select merchant_id from added where id = any(placed)), array(select shop_id from added where id = any(placed)));
  end if;
  perform from device_place where device_id = any(changed) order by device_id for no key update;
  -- Who came and who left.
  execute $q$
    insert into device_contact (device_id, came, product_id, dept_path)
    select a.id, a.status = '3', a.product_id, a.dept_path from added a join device_place p on p.device_id = a.id
    where a.id = any($1) and a.status <> p.status and '3' in (a.status, p.status) and a.deleted_at is null
  $q$ using changed;
  execute $q$
    update device_place p set dept_path = a.dept_path, product_id = a.product_id, status = a.status, deleted = a.deleted_at is not null,
      merchant_id = a.merchant_id, shop_id = a.shop_id
    from added a where p.device_id = a.id and a.id = any($1)
  $q$ using changed;
  if placed is not null then
    update device_place set lat = null, lon = null, accuracy = null, source = null, at = null where device_id = any(placed) and lat is not null;
    perform from device_presence where device_id = any(placed) order by device_id for no key update;
    update device_presence set lat = null, lon = null, accuracy = null, position_source = null, positioned_at = null,
      kept_lat = null, kept_lon = null, kept_at = null
    where device_id = any(placed) and (lat is not null or kept_at is not null);
    perform device_place_inherit(placed);
  end if;
  return null;
end $$;
revoke all on function device_place_follow from public;
create trigger device_place_insert after insert on device referencing new table as added for each statement execute function device_place_follow();
create trigger device_place_update after update on device referencing new table as added for each statement execute function device_place_follow();

create function merchant_stands_elsewhere() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_table_name = 'merchant_shop' then
    perform device_place_inherit(array(select id from device where shop_id = new.id));
  else
    perform device_place_inherit(array(select id from device where merchant_id = new.id));
  end if;
  return null;
end $$;
revoke all on function merchant_stands_elsewhere from public;
create trigger stands_elsewhere after update of lat, lon on merchant_shop for each row
  when (new.lat is distinct from old.lat or new.lon is distinct from old.lon) execute function merchant_stands_elsewhere();
create trigger stands_elsewhere after update of lat, lon on merchant_merchant for each row
  when (new.lat is distinct from old.lat or new.lon is distinct from old.lon) execute function merchant_stands_elsewhere();

-- What is there already, counted while nobody writes.
lock table device in share row exclusive mode;
insert into device_place (device_id, dept_path, product_id, status, deleted, merchant_id, shop_id, lat, lon, source, at)
select d.id, d.dept_path, d.product_id, d.status, d.deleted_at is not null, d.merchant_id, d.shop_id, w.lat, w.lon, w.source, case when p.lat is not null then p.seen_at end
from device d left join device_presence p on p.device_id = d.id
left join merchant_merchant m on m.id = d.merchant_id left join merchant_shop s on s.id = d.shop_id
cross join lateral (
  select p.lat, p.lon, coalesce(p.position_source, 'unknown') as source where p.lat is not null
  union all select s.lat, s.lon, 'shop' where p.lat is null and s.lat is not null
  union all select m.lat, m.lon, 'merchant' where p.lat is null and s.lat is null and m.lat is not null
  union all select null, null, null where p.lat is null and s.lat is null and m.lat is null
) w;
