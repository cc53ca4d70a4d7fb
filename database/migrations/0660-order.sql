-- A terminal that its organisation sends to be repaired, by itself, by one above it or by one below it. One row for both sides: who owns the
-- terminal has it by its own path, and whoever repairs reads it by the path of the partner.
create table order_order (
  id bigint generated always as identity primary key,
  number text not null,
  state text not null default 'created' check (state in ('created', 'accepted', 'received', 'repairing', 'returning', 'closed', 'cancelled')),
  costs text not null default 'none' check (costs in ('none', 'asked', 'approved', 'refused')),
  -- No key: the order stays with who made it, also when a later owner deletes the terminal.
  device_id bigint not null,
  sn text collate "C" not null,
  product_id bigint,
  product_name text not null default '',
  merchant_id bigint references merchant_merchant on delete set null,
  shop_id bigint references merchant_shop on delete set null,
  -- As they were called then: the other side doesn't see the merchants themselves.
  merchant_name text not null default '',
  shop_name text not null default '',
  partner_id bigint not null references org_dept,
  partner_name text not null,
  partner_path text collate "C" not null,
  contact_name text not null default '',
  phone text not null default '',
  address text not null default '',
  fault text not null,
  description text not null default '',
  photos bigint[] not null default '{}',
  due_on date,
  out_carrier text not null default '',
  out_number text not null default '',
  back_carrier text not null default '',
  back_number text not null default '',
  diagnosis text not null default '',
  work_done text not null default '',
  currency text not null default '1' check (currency in ('1', '2')),
  parts jsonb not null default '[]',
  labour text not null default '',
  warranty_until date,
  engineer_id bigint,
  engineer text not null default '',
  replacement_id bigint,
  replacement_sn text not null default '',
  reason text not null default '',
  closed_at timestamptz,
  dept_id bigint not null references org_dept,
  dept_name text not null,
  dept_path text collate "C" not null,
  created_by_id bigint,
  created_by text not null default '',
  created_at timestamptz not null default now(),
  revision integer not null default 1
);
create unique index order_order_taken on order_order (dept_id, number);
create index order_order_list on order_order (dept_path, created_at, id);
create index order_order_newest on order_order (created_at, id) include (dept_path, partner_path);
create index order_order_counted on order_order (dept_path, created_at) include (fault, product_id, product_name, state, partner_path);
create index order_order_number on order_order (dept_path, number, id);
create index order_order_numbers on order_order (number, id) include (dept_path, partner_path);
create index order_order_sn on order_order (dept_path, sn, id);
create index order_order_sns on order_order (sn, id) include (dept_path, partner_path);
create index order_order_state on order_order (dept_path, state, created_at, id);
create index order_order_costs on order_order (dept_path, costs, created_at, id);
create index order_order_fault on order_order (dept_path, fault, created_at, id);
create index order_order_device on order_order (device_id, created_at, id);
create index order_order_product on order_order (product_id, created_at, id);
create index order_order_merchant on order_order (merchant_id, created_at, id);
create index order_order_shop on order_order (shop_id);
create index order_order_partner on order_order (partner_id, created_at, id);
-- What whoever repairs has.
create index order_order_service on order_order (partner_path, created_at, id);
create index order_order_service_state on order_order (partner_path, state, created_at, id);
-- One terminal is in one open order at most, whoever asks at once; what is open is few. Where another one took its place, that one comes back.
create unique index order_order_open on order_order (device_id) where state not in ('closed', 'cancelled') and replacement_id is null;
create index order_order_owed on order_order (dept_path, due_on) where state not in ('closed', 'cancelled');
create index order_order_owing on order_order (partner_path, due_on) where state not in ('closed', 'cancelled');
create index order_order_search on order_order using gin (number gin_trgm_ops, sn gin_trgm_ops, contact_name gin_trgm_ops, merchant_name gin_trgm_ops);
call own_by_path('order_order');
create policy service on order_order for select to mooring_app
  using (partner_path >= scope_path() and partner_path < scope_path() || '~');
create trigger revision before update of partner_id, contact_name, phone, address, fault, description, photos, due_on, out_carrier, out_number
  on order_order for each row execute function revision_next();

-- Of two organisations that are merged each may have an order of one number: the one that comes gets its own behind it.
create function order_renumber() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from order_order where dept_id = new.dept_id and number = new.number) then
    new.number := left(new.number, 20) || '-' || new.id;
  end if;
  return new;
end $$;
create trigger renumber before update of dept_id on order_order
  for each row when (new.dept_id <> old.dept_id) execute function order_renumber();

-- Whoever repairs may move in the tree, or be merged into another one, who then has what it had.
create function order_follow_partner() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update order_order o set partner_id = t.id, partner_path = t.dept_path
  from org_dept t where o.partner_id = new.id and t.id = coalesce(new.merged_into, new.id) and (o.partner_id, o.partner_path) <> (t.id, t.dept_path);
  return null;
end $$;
create trigger order_follow_partner after update of dept_path, merged_into on org_dept
  for each row when ((new.dept_path, new.merged_into) is distinct from (old.dept_path, old.merged_into)) execute function order_follow_partner();

-- It may move or be merged while an order is being made: the order waits for it, and takes who it is by then.
create function order_take_partner() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  partner record;
begin
  loop
    select o.id, o.dept_path, o.merged_into into partner from org_dept o where o.id = new.partner_id for key share;
    exit when not found or partner.merged_into is null;
    new.partner_id := partner.merged_into;
  end loop;
  new.partner_path := coalesce(partner.dept_path, new.partner_path);
  return new;
end $$;
create trigger order_take_partner before insert or update of partner_id on order_order for each row execute function order_take_partner();

-- A path is a key, which the lock above keeps from changing; who it is merged into isn't, and so waits for it here.
create function order_hold_partner() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from org_dept where id = new.id for update;
  return new;
end $$;
create trigger order_hold_partner before update of merged_into on org_dept
  for each row when (new.merged_into is distinct from old.merged_into) execute function order_hold_partner();

-- Numbers of an organisation and year, one after the other: given in the transaction of the order, so that none is missing. Those that came
-- with an organisation that was merged into it are left out.
create table order_counter (
  dept_id bigint not null references org_dept,
  year integer not null,
  last integer not null,
  primary key (dept_id, year)
);
revoke all on order_counter from mooring_app;
create function order_next_number(dept bigint, of_year integer) returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  next integer;
  given text;
begin
  loop
    insert into order_counter as c (dept_id, year, last) values (dept, of_year, 1)
    on conflict (dept_id, year) do update set last = c.last + 1 returning last into next;
    given := 'AS' || of_year || '-' || lpad(next::text, greatest(5, length(next::text)), '0');
    exit when not exists (select from order_order o where o.dept_id = dept and o.number = given);
  end loop;
  return given;
end $$;

-- What happened and what was said, as both sides read it; each line says by whom.
create table order_entry (
  id bigint generated always as identity primary key,
  order_id bigint not null references order_order on delete cascade,
  event text,
  side text not null check (side in ('customer', 'service')),
  text text not null default '',
  by_id bigint,
  by_name text not null default '',
  at timestamptz not null default now(),
  dept_path text collate "C" not null
);
create index order_entry_of on order_entry (order_id, id);
create index order_entry_dept on order_entry (dept_path);
call own_by_path('order_entry');
create policy service on order_entry for select to mooring_app using (exists (select from order_order o where o.id = order_id));

-- Pictures of the fault, and what hangs on a message.
create table order_file (
  order_id bigint not null references order_order on delete cascade,
  entry_id bigint references order_entry on delete cascade,
  file_id bigint not null references file_file,
  dept_path text collate "C" not null,
  unique nulls not distinct (order_id, file_id, entry_id)
);
create index order_file_file on order_file (file_id);
create index order_file_entry on order_file (entry_id);
call own_by_path('order_file');
create policy service on order_file for select to mooring_app using (exists (select from order_order o where o.id = order_id));
