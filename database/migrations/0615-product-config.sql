-- The desired state that a new terminal of a product begins with, however it comes to be here.
alter table product_product add column config jsonb not null default '{}';
create or replace trigger revision
  before update of name, category, firm, firm_id, industry, networks, package_kinds, heartbeat_seconds, remark, photo_id, low_battery_percent, storage_full_percent, silent_hours, config
  on product_product for each row execute function revision_next();
-- Past the policy: the product may be one that is shared.
create function device_begin_config() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  select p.config, 1 into new.config, new.config_revision from product_product p where p.id = new.product_id and p.config <> '{}';
  if not found then
    new.config := '{}';
    new.config_revision := 0;
  end if;
  return new;
end $$;
create trigger device_begin_config before insert on device for each row when (new.product_id is not null and new.config = '{}') execute function device_begin_config();
