-- A row's revision counts the changes of what people edit: whoever saves a form says which one it was filled from, and a save over
-- somebody else's change is refused. Rows of before begin at 1; what a server of the version before writes counts as well.

create function revision_next() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end $$;

alter table org_dept add column revision integer not null default 1;
create trigger revision before update of name, time_zone, contact_name, contact_phone, contact_email, address, remark on org_dept
  for each row execute function revision_next();

alter table account_user add column revision integer not null default 1;
create trigger revision before update of name, email, user_type, dept_id on account_user
  for each row execute function revision_next();

alter table access_role add column revision integer not null default 1;
create trigger revision before update of name, type, category, platforms, menus, approves_as, remark on access_role
  for each row execute function revision_next();

alter table product_product add column revision integer not null default 1;
create trigger revision before update of name, category, firm, industry, networks, package_kinds, heartbeat_seconds, remark on product_product
  for each row execute function revision_next();

alter table device add column revision integer not null default 1;
create trigger revision before update of name, tags, remark, notes on device
  for each row execute function revision_next();

alter table device_enrol_rule add column revision integer not null default 1;
create trigger revision before update of name, sn_prefix, product_id, dept_id, network, only_expected, only_factory, enabled, remark on device_enrol_rule
  for each row execute function revision_next();

alter table device_factory add column revision integer not null default 1;
create trigger revision before update of name, certificate, sn_prefix, product_id, dept_id, revoked, enabled, remark on device_factory
  for each row execute function revision_next();

alter table rollout_task add column revision integer not null default 1;
create trigger revision before update of name, package_id, product_id, release_scope, scope, delivery, start_at, expires_at, remark on rollout_task
  for each row execute function revision_next();

alter table settings_dict add column revision integer not null default 1;
create trigger revision before update of name, remark on settings_dict
  for each row execute function revision_next();

alter table settings_dict_entry add column revision integer not null default 1;
create trigger revision before update of value, labels, sort, enabled on settings_dict_entry
  for each row execute function revision_next();

alter table settings_download_domain add column revision integer not null default 1;
create trigger revision before update of name, url, dept_id, enabled on settings_download_domain
  for each row execute function revision_next();

alter table settings_webhook add column revision integer not null default 1;
create trigger revision before update of name, url, events, dept_id, enabled on settings_webhook
  for each row execute function revision_next();
