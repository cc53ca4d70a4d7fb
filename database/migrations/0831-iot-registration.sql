-- Terminals that are registered at an outside IoT platform, with the certificate that they have here.
create table customer_registration (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customer_iot on delete cascade,
  device_id bigint references device on delete set null,
  sn text collate "C" not null,
  product_id bigint references product_product on delete set null,
  state text not null default 'waiting' check (state in ('waiting', 'registered', 'failed', 'revoking', 'stuck', 'revoked')),
  reason text,
  thing_name text not null,
  -- Whether the thing at the other side was made by us.
  thing_made boolean not null default false,
  -- What was made for it at the other side and not undone: certificates by arn and id, which of ours each is, and the policies it may have.
  certificates jsonb not null default '[]',
  -- Which of ours is registered, and with which policy.
  fingerprint text,
  policy text not null default '',
  -- When its next try is, where something is to be done, and until when a process is at it.
  next_at timestamptz,
  lease_until timestamptz,
  tries integer not null default 0,
  -- Its terminal was moved, disabled, deleted, or has a new certificate.
  look_at timestamptz,
  registered_at timestamptz,
  created_at timestamptz not null default now(),
  dept_path text collate "C" not null
);
create unique index customer_registration_pair on customer_registration (customer_id, sn);
create index customer_registration_device on customer_registration (device_id) where device_id is not null;
create index customer_registration_list on customer_registration (dept_path, created_at, id);
create index customer_registration_newest on customer_registration (created_at, id) include (dept_path);
create index customer_registration_of on customer_registration (customer_id, state, created_at, id);
create index customer_registration_state on customer_registration (dept_path, state, created_at, id);
create index customer_registration_product on customer_registration (product_id, created_at, id);
create index customer_registration_sns on customer_registration (dept_path, sn, id);
create index customer_registration_sn on customer_registration (sn, id) include (dept_path);
create index customer_registration_search on customer_registration using gin (sn gin_trgm_ops);
create index customer_registration_due on customer_registration (customer_id, next_at) where next_at is not null;
create index customer_registration_policy on customer_registration (customer_id, policy, id) where state = 'registered';
create index customer_registration_looks on customer_registration (look_at) where look_at is not null;
call own_by_path('customer_registration');

create function customer_registration_look() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update customer_registration set look_at = now() where device_id = new.id and state in ('waiting', 'registered', 'failed');
  return null;
end $$;
create trigger customer_registration_look after update of dept_path, deleted_at, status on device for each row
  when (new.dept_path <> old.dept_path or new.deleted_at is distinct from old.deleted_at or (new.status = '4' and old.status <> '4'))
  execute function customer_registration_look();

create function customer_registration_renewed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update customer_registration set look_at = now() where device_id = new.device_id and state in ('waiting', 'registered', 'failed');
  return null;
end $$;
create trigger customer_registration_renewed after insert or update of revoked_at on device_credential for each row execute function customer_registration_renewed();

-- Its terminal is gone for good.
create function customer_registration_orphaned() returns trigger language plpgsql as $$
begin
  new.look_at := now();
  return new;
end $$;
create trigger orphaned before update of device_id on customer_registration for each row when (new.device_id is null and old.device_id is not null)
  execute function customer_registration_orphaned();
