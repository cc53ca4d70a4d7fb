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
  placed bigint[];
begin
  if tg_op = 'INSERT' then
    insert into device_place (device_id, dept_path, product_id, status, deleted)
    select id, dept_path, product_id, status, deleted_at is not null from added;
    select array_agg(id) into placed from added where merchant_id is not null;
  else
    update device_place p set dept_path = a.dept_path, product_id = a.product_id, status = a.status, deleted = a.deleted_at is not null
    from added a join gone g on g.id = a.id
    where p.device_id = a.id
      and (a.status <> g.status or a.dept_path <> g.dept_path or a.product_id <> g.product_id or (a.deleted_at is null) <> (g.deleted_at is null));
    insert into device_contact (device_id, came, product_id, dept_path)
    select a.id, a.status = '3', a.product_id, a.dept_path from added a join gone g on g.id = a.id
    where a.status <> g.status and '3' in (a.status, g.status) and a.deleted_at is null;
    select array_agg(a.id) into placed from added a join gone g on g.id = a.id
    where a.merchant_id is distinct from g.merchant_id or a.shop_id is distinct from g.shop_id;
  end if;
  if placed is not null then perform device_place_inherit(placed); end if;
  return null;
end $$;
