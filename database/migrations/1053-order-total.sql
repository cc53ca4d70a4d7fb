-- What the parts and the labour of an order cost, in hundredths of its currency: lists show and sort it.
create function order_total(parts jsonb, labour text) returns bigint language sql immutable set search_path = pg_catalog, pg_temp as $$
  select ((
    select coalesce(sum((p ->> 'quantity')::numeric * coalesce(nullif(p ->> 'price', ''), '0')::numeric), 0)
    from jsonb_array_elements(parts) p
  ) * 100 + coalesce(nullif(labour, ''), '0')::numeric * 100)::bigint
$$;
alter table order_order add column total bigint not null default 0;
create function order_add_up() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.total := order_total(new.parts, new.labour);
  return new;
end $$;
create trigger add_up before insert or update of parts, labour on order_order for each row execute function order_add_up();
update order_order set total = order_total(parts, labour) where parts <> '[]' or labour <> '';
create index order_order_total on order_order (dept_path, total, id);
create index order_order_totals on order_order (total, id) include (dept_path, partner_path);
