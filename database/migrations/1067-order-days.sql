-- A list sorts by its days, and what has none stands behind all that have; what the partner says of warranty filters; the page of a terminal that came
-- in place of another one has the order that brought it.
alter table order_order
  add column due_sort date generated always as (coalesce(due_on, 'infinity'::date)) stored,
  add column closed_sort timestamptz generated always as (coalesce(closed_at, 'infinity'::timestamptz)) stored;
create index order_order_by_due on order_order (dept_path, due_sort, id);
create index order_order_by_dues on order_order (due_sort, id) include (dept_path, partner_path);
create index order_order_by_end on order_order (dept_path, closed_sort, id);
create index order_order_by_ends on order_order (closed_sort, id) include (dept_path, partner_path);
create index order_order_warranty on order_order (dept_path, warranty, created_at, id);
create index order_order_replacement on order_order (replacement_id, created_at, id) where replacement_id is not null;
