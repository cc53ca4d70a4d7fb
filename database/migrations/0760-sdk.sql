-- What developers build with, by product and version.
create table app_sdk (
  id bigint generated always as identity primary key,
  name text not null,
  version text not null,
  product_id bigint not null references product_product,
  lowest_firmware text not null default '',
  file_id bigint not null references file_file,
  file_name text not null,
  size bigint not null,
  sha256 text not null,
  note text not null default '',
  publish_state text not null default '0' check (publish_state in ('0', '1')),
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_by text not null default '',
  created_at timestamptz not null default now(),
  revision integer not null default 1
);
create unique index app_sdk_taken on app_sdk (dept_id, product_id, name, version);
create index app_sdk_list on app_sdk (dept_path, created_at, id);
create index app_sdk_product on app_sdk (product_id);
create index app_sdk_file on app_sdk (file_id);
call own_by_path('app_sdk');
-- Those below see what is published.
create policy published on app_sdk for select to mooring_app using (publish_state = '1' and dept_path = any((select scope_ancestors())::text[]));
create trigger revision before update of name, version, product_id, lowest_firmware, file_id, note on app_sdk for each row execute function revision_next();
