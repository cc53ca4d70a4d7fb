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
  created_at timestamptz not null default now(),
  -- When it was tried to clear it away: they take turns.
  tried_at timestamptz
);
revoke all on signing_making from mooring_app;
-- The same of a key that never was, whose object the token still has.
alter table signing_secret add column tried_at timestamptz;

-- Requests that wait since before there were products: of a key for any, and for any afterwards, so that they are approved as they were read.
update settings_change_request set before = before || '{"productIds": []}', after = after || '{"productIds": []}'
  where home = 'signing' and target = 'keyPolicy' and state = 'waiting' and not before ? 'productIds';

-- What was signed, or why not, stays as it was written: afterwards only its bytes go, its people and its profile may, and its organisation may become another.
create function signing_job_final() returns trigger language plpgsql as $$
declare
  loose constant text[] := '{kept_until,author_id,decided_by_id,profile_id,dept_id,dept_path}';
begin
  if (to_jsonb(new) - loose) is distinct from (to_jsonb(old) - loose)
    or new.kept_until is not null and new.kept_until is distinct from old.kept_until
    or new.author_id is not null and new.author_id is distinct from old.author_id
    or new.decided_by_id is not null and new.decided_by_id is distinct from old.decided_by_id
    or new.profile_id is not null and new.profile_id is distinct from old.profile_id then
    raise exception 'the record of signature % is final', old.id using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger final before update on signing_job
  for each row when (old.state in ('signed', 'failed', 'refused', 'withdrawn', 'expired')) execute function signing_job_final();
revoke delete on signing_job from mooring_app;
