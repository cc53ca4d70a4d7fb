-- What is due in a week, of those that order and of those that repair.
create index order_order_due on order_order (dept_path, due_on, id) where due_on is not null;
create index order_order_due_service on order_order (partner_path, due_on, id) where due_on is not null;
-- Of one organisation; and by parcels, and by the terminal that came instead.
create index order_order_of_dept on order_order (dept_id, created_at, id);
drop index order_order_search;
create index order_order_search on order_order
  using gin (number gin_trgm_ops, sn gin_trgm_ops, contact_name gin_trgm_ops, merchant_name gin_trgm_ops, out_number gin_trgm_ops, back_number gin_trgm_ops, replacement_sn gin_trgm_ops);
