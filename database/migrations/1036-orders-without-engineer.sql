-- Orders under way that no engineer is named for: few of all, whatever else the list holds.
create index order_order_unassigned on order_order (created_at, id) include (dept_path, partner_path)
  where engineer_id is null and state not in ('created', 'closed', 'cancelled');
