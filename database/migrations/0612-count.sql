-- A shelf that was counted with a scanner: what should have been there, and what was.
create table inventory_count (
  id bigint generated always as identity primary key,
  product_id bigint,
  product_name text not null default '',
  expected integer not null default 0,
  found integer not null default 0,
  missing integer not null default 0,
  unexpected integer not null default 0,
  doubled integer not null default 0,
  remark text not null default '',
  by_name text not null default '',
  created_at timestamptz not null default now(),
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null
);
create index inventory_count_list on inventory_count (dept_path, created_at, id);
create index inventory_count_newest on inventory_count (created_at, id) include (dept_path);
create index inventory_count_dept on inventory_count (dept_id, created_at, id);
create index inventory_count_search on inventory_count using gin (product_name gin_trgm_ops, by_name gin_trgm_ops, remark gin_trgm_ops);
call own_by_path('inventory_count');

create table inventory_count_line (
  id bigint generated always as identity primary key,
  count_id bigint not null references inventory_count on delete cascade,
  sn text collate "C" not null,
  result text not null check (result in ('found', 'missing', 'unexpected')),
  times integer not null default 0,
  device_id bigint,
  dept_path text collate "C" not null
);
create index inventory_count_line_of on inventory_count_line (count_id, id);
create index inventory_count_line_sn on inventory_count_line (count_id, sn, id);
create index inventory_count_line_result on inventory_count_line (count_id, result, sn, id);
create index inventory_count_line_sns on inventory_count_line (dept_path, sn, id);
create index inventory_count_line_first on inventory_count_line (sn, id) include (dept_path);
create index inventory_count_line_results on inventory_count_line (dept_path, result, sn, id);
create index inventory_count_line_search on inventory_count_line using gin (sn gin_trgm_ops);
call own_by_path('inventory_count_line');
