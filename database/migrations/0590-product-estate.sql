-- Manufacturers are rows of the installation, photos stand beside product names, and a product says when its terminals need attention.
create table product_firm (
  id bigint generated always as identity primary key,
  code text not null,
  name text not null,
  country text not null default '',
  website text not null default '',
  remark text not null default '',
  created_at timestamptz not null default now(),
  revision integer not null default 1
);
create unique index product_firm_code on product_firm (lower(code));
create index product_firm_name on product_firm (lower(name));
create trigger revision before update of code, name, country, website, remark on product_firm for each row execute function revision_next();
-- Read by everybody, changed past the policies by the few whose permission says so.
revoke insert, update, delete on product_firm from mooring_app;

alter table product_product
  add column firm_id bigint references product_firm,
  add column photo_id bigint references file_file,
  add column low_battery_percent integer,
  add column storage_full_percent integer,
  add column silent_hours integer;
create index product_product_firm on product_product (firm_id);
create index product_product_photo on product_product (photo_id);
create or replace trigger revision
  before update of name, category, firm, firm_id, industry, networks, package_kinds, heartbeat_seconds, remark, photo_id, low_battery_percent, storage_full_percent, silent_hours
  on product_product for each row execute function revision_next();

-- The manufacturer that this free text means: found by its name in any case, else made.
create function product_firm_named(wanted text) returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare
  found bigint;
  base text := left(coalesce(nullif(trim(both '-' from regexp_replace(wanted, '[^A-Za-z0-9]+', '-', 'g')), ''), 'firm'), 24);
  made text := base;
begin
  perform pg_advisory_xact_lock(hashtext('product_firm'));
  select id into found from product_firm where lower(name) = lower(wanted) order by id limit 1;
  if found is not null then return found; end if;
  for n in 2..100000 loop
    exit when not exists (select from product_firm where lower(code) = lower(made));
    made := base || '-' || n;
  end loop;
  insert into product_firm (code, name) values (made, wanted) returning id into found;
  return found;
end $$;
revoke all on function product_firm_named from public;

update product_product set firm_id = product_firm_named(btrim(firm)) where btrim(firm) <> '';

-- A server of the version before writes and reads the text alone; this one the row alone.
create function product_firm_follow() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' or new.firm_id is distinct from old.firm_id then
    if new.firm_id is not null then
      new.firm := (select name from product_firm where id = new.firm_id);
      return new;
    elsif tg_op = 'UPDATE' then
      new.firm := '';
      return new;
    end if;
  end if;
  if tg_op = 'INSERT' or new.firm <> old.firm then
    new.firm_id := case when btrim(new.firm) = '' then null else product_firm_named(btrim(new.firm)) end;
  end if;
  return new;
end $$;
create trigger product_firm_follow before insert or update of firm, firm_id on product_product for each row execute function product_firm_follow();

-- Product categories are entries of their picklist, each with a drawn picture; those of the specification have their own.
alter table settings_dict_entry add column picture text;
update settings_dict_entry e set picture = e.value from settings_dict d where d.id = e.dict_id and d.code = 'productCategory' and e.system;
create or replace trigger revision before update of value, labels, sort, enabled, picture on settings_dict_entry for each row execute function revision_next();
