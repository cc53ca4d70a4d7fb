-- What the service partner says of the warranty, and whether who ordered agrees. Orders from before go by the warranty on record.
alter table order_order add column warranty text not null default 'none' check (warranty in ('none', 'covered', 'denied', 'accepted', 'disputed'));
alter table order_order add column warranty_reason text not null default '';
