-- Terminals that were sold, to a merchant or a buyer by name.
create table inventory_sale (
  id bigint generated always as identity primary key,
  -- No key: what was sold stays on record when the terminal is forgotten.
  device_id bigint not null,
  sn text collate "C" not null,
  product_name text not null default '',
  number text not null,
  state text not null default 'sold' check (state in ('sold', 'returned')),
  merchant_id bigint references merchant_merchant on delete set null,
  buyer text not null default '',
  currency text not null default '1' check (currency in ('1', '2')),
  price text not null default '',
  sold_at date not null,
  warranty_until date,
  returned_at timestamptz,
  remark text not null default '',
  created_by text not null default '',
  created_at timestamptz not null default now(),
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  revision integer not null default 1
);
create unique index inventory_sale_open on inventory_sale (device_id) where state = 'sold';
create index inventory_sale_device on inventory_sale (device_id, created_at, id);
create index inventory_sale_list on inventory_sale (dept_path, created_at, id);
create index inventory_sale_newest on inventory_sale (created_at, id) include (dept_path);
create index inventory_sale_sn on inventory_sale (dept_path, sn, id);
create index inventory_sale_sns on inventory_sale (sn, id) include (dept_path);
create index inventory_sale_number on inventory_sale (dept_path, number, id);
create index inventory_sale_numbers on inventory_sale (number, id) include (dept_path);
create index inventory_sale_day on inventory_sale (dept_path, sold_at, id);
create index inventory_sale_days on inventory_sale (sold_at, id) include (dept_path);
create index inventory_sale_state on inventory_sale (dept_path, state, created_at, id);
create index inventory_sale_merchant on inventory_sale (merchant_id, created_at, id);
create index inventory_sale_search on inventory_sale using gin (sn gin_trgm_ops, number gin_trgm_ops, buyer gin_trgm_ops);
call own_by_path('inventory_sale');
create trigger revision before update of buyer, currency, price, sold_at, warranty_until, remark on inventory_sale
  for each row execute function revision_next();
