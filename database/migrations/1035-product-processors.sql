-- The processors (ABI) of a product's terminals: what apps with native code may be for them. None: nobody says.
alter table product_product add column abis text[] not null default '{}';
create or replace trigger revision
  before update of name, category, firm, firm_id, industry, networks, package_kinds, heartbeat_seconds, remark, photo_id, low_battery_percent, storage_full_percent, silent_hours, config, android_sdk, abis
  on product_product for each row execute function revision_next();
