-- What one side notes for itself, and who entered the costs: nobody agrees to their own.
alter table order_entry add column internal boolean not null default false;
alter table order_order add column quoted_by_id bigint;
create index order_order_engineer on order_order (engineer_id, created_at, id) where engineer_id is not null;
update order_order o set quoted_by_id = (select e.by_id from order_entry e where e.order_id = o.id and e.event = 'quote' order by e.id desc limit 1)
where o.costs = 'asked';

-- Whether whoever acts speaks for a side of an order; of two sides of which one stands above the other, the upper one speaks for itself alone.
create function order_is_side(side text, owner text, partner text) returns boolean language sql stable as $$
  select case side
    when 'customer' then owner >= scope_path() and owner < scope_path() || '~' and (owner = partner or partner <> scope_path())
    else partner >= scope_path() and partner < scope_path() || '~' and (owner = partner or owner <> scope_path()) end
$$;

-- A note stays with the organisation that wrote it, also where another one stands above it, or takes its side later.
create policy internal on order_entry as restrictive for select to mooring_app
  using (not internal or exists (select from order_order o where o.id = order_id and order_is_side(side, o.dept_path, o.partner_path)
    and order_entry.dept_path = case side when 'customer' then o.dept_path else o.partner_path end));
create policy internal on order_file as restrictive for select to mooring_app
  using (entry_id is null or exists (select from order_entry e where e.id = entry_id));
drop policy service on order_entry;
create policy service on order_entry for select to mooring_app using (exists (select from order_order o where o.id = order_id) and not internal);
