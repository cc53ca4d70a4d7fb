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

create or replace function device_place_follow() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
