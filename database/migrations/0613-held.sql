-- What keeps a terminal from other ways, whoever's document it is: rows of organisations above are past the policy of who asks.
create function inventory_in_transfer(device bigint) returns boolean language sql stable security definer set search_path = public, pg_temp
  as $$ select exists (select from inventory_transfer t where t.device_id = device and t.state = '1') $$;
-- Sold by the organisation at this path, or by one above it, and not returned.
create function inventory_is_sold(device bigint, path text) returns boolean language sql stable security definer set search_path = public, pg_temp
  as $$ select exists (select from inventory_sale s where s.device_id = device and s.state = 'sold' and starts_with(path, s.dept_path)) $$;
