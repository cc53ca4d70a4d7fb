-- The products that a key signs for: none named is any. One that was deleted stays named, so that a key doesn't sign for all when its last product goes.
alter table signing_key add column product_ids bigint[] not null default '{}';
drop trigger revision on signing_key;
create trigger revision before update of package_names, profiles, product_ids, most_uses, hour_from, hour_to
  on signing_key for each row execute function revision_next();

-- Those of its profile when it was asked for.
alter table signing_job add column product_ids bigint[] not null default '{}';

-- A key that a token is about to make, under a name that its process has sealed before: what is left of it is known where nothing was kept. Whoever
-- keeps the key takes the row away in the same transaction, so that none of a key in use is ever here.
create table signing_making (
  id bigint generated always as identity primary key,
  sealed bytea not null,
  created_at timestamptz not null default now()
);
revoke all on signing_making from mooring_app;
