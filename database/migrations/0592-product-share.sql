-- A product that its owner shares with an organisation outside its line: one row for each side, written together. Who receives it, and
-- whoever is below, reads and uses the product; it stays its owner's to change.
create table product_share (
  id bigint generated always as identity primary key,
  pair uuid not null,
  side text not null check (side in ('giver', 'receiver')),
  product_id bigint not null references product_product on delete cascade,
  dept_id bigint not null references org_dept,
  other_id bigint not null,
  other_name text not null,
  shared_by text not null default '',
  created_at timestamptz not null default now(),
  dept_path text collate "C" not null,
  unique (pair, side)
);
create index product_share_product on product_share (product_id, side);
create index product_share_dept on product_share (dept_path, side);
call own_by_path('product_share');
create policy received on product_share for select to mooring_app
  using (side = 'receiver' and dept_path = any ((select scope_ancestors())::text[]));
create policy shared on product_product for select to mooring_app using (id in (select s.product_id from product_share s where s.side = 'receiver'));
create policy shared on product_model for select to mooring_app using (product_id in (select s.product_id from product_share s where s.side = 'receiver'));
