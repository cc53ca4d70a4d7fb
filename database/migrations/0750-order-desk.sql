-- What one side notes for itself, as rows of its own organisation alone; and who entered the costs: nobody agrees to their own.
alter table order_entry add column internal boolean not null default false;
alter table order_order add column quoted_by_id bigint;

drop policy service on order_entry;
create policy service on order_entry for select to mooring_app
  using (exists (select from order_order o where o.id = order_id) and not internal);
drop policy service on order_file;
create policy service on order_file for select to mooring_app
  using (exists (select from order_order o where o.id = order_id)
    and (entry_id is null or exists (select from order_entry e where e.id = entry_id)));
