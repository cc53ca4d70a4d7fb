-- The oldest Android of a product's terminals, by its API level: what apps may be for them.
alter table product_product add column android_sdk integer check (android_sdk between 1 and 999);
create or replace trigger revision
  before update of name, category, firm, firm_id, industry, networks, package_kinds, heartbeat_seconds, remark, photo_id, low_battery_percent, storage_full_percent, silent_hours, config, android_sdk
  on product_product for each row execute function revision_next();
