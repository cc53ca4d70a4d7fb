-- A package that only ended tasks used may be deleted; what it was called stays with them. Its version may come again.
alter table firmware_package add column deleted_at timestamptz;
alter table firmware_package drop constraint firmware_package_product_id_kind_version_base_key;
create unique index firmware_package_version on firmware_package (product_id, kind, version, base) nulls not distinct where deleted_at is null;
