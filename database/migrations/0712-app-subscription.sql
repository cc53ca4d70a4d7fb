-- Whoever may take an app that isn't brought by itself, or by an organisation above or below it: at once, or when its owner agrees.
alter table app_app add column subscription text not null default 'free' check (subscription in ('free', 'asked'));

-- One row for both sides: the subscriber has it by its own path, the owner of the app by the path of the app.
create table app_subscription (
  id bigint generated always as identity primary key,
  app_id bigint not null references app_app on delete cascade,
  app_name text not null,
  package_name text collate "C" not null,
  owner_name text not null,
  owner_path text collate "C" not null,
  state text not null default 'asked' check (state in ('asked', 'active', 'refused', 'ended')),
  -- 1: shut out by the owner, whatever else holds.
  blacklist text not null default '0' check (blacklist in ('0', '1')),
  valid_until date,
  -- The only version that is taken; none: the newest that is listed.
  version_id bigint references app_version,
  note text not null default '',
  reason text not null default '',
  app_key text collate "C" not null unique,
  -- SHA-256 of the secret, and of the one before while both count.
  secret text,
  old_secret text,
  old_secret_until timestamptz,
  dept_id bigint not null references org_dept,
  dept_name text not null,
  dept_path text collate "C" not null,
  created_by_id bigint,
  created_by text not null default '',
  created_at timestamptz not null default now(),
  edited_at timestamptz not null default now(),
  revision integer not null default 1
);
-- One that holds or is asked for, whoever asks at once.
create unique index app_subscription_taken on app_subscription (dept_id, app_id) where state in ('asked', 'active');
create index app_subscription_list on app_subscription (dept_path, created_at, id);
create index app_subscription_owner on app_subscription (owner_path, created_at, id);
create index app_subscription_app on app_subscription (app_id, state);
create index app_subscription_dept on app_subscription (dept_id, created_at, id);
create index app_subscription_version on app_subscription (version_id) where version_id is not null;
create index app_subscription_search on app_subscription using gin (app_name gin_trgm_ops, package_name gin_trgm_ops, dept_name gin_trgm_ops);
call own_by_path('app_subscription');
create policy owner on app_subscription to mooring_app
  using (owner_path >= scope_path() and owner_path < scope_path() || '~') with check (owner_path >= scope_path() and owner_path < scope_path() || '~');
create trigger revision before update of app_id, version_id, note, edited_at on app_subscription for each row execute function revision_next();

-- It goes where its app goes. Of two organisations that are merged each may have subscribed: the one that comes ends.
create function app_subscription_follow() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update app_subscription set owner_path = new.dept_path where app_id = new.id and owner_path <> new.dept_path;
  return null;
end $$;
create trigger app_subscription_follow after update of dept_path on app_app
  for each row when (new.dept_path <> old.dept_path) execute function app_subscription_follow();
create function app_subscription_merge() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  stays bigint;
begin
  select id into stays from app_subscription
    where dept_id = new.dept_id and app_id = new.app_id and state in ('asked', 'active') and id <> new.id for update;
  if stays is null then
    return new;
  end if;
  -- The stricter of the two holds.
  update app_subscription set blacklist = greatest(blacklist, new.blacklist), edited_at = now(),
    valid_until = case when new.state = 'active' then least(valid_until, new.valid_until) else valid_until end
    where id = stays and (blacklist < new.blacklist or new.state = 'active' and new.valid_until is not null);
  new.blacklist := '0';
  if new.state in ('asked', 'active') then
    new.state := 'ended';
    new.reason := 'merged';
  end if;
  return new;
end $$;
revoke all on function app_subscription_merge, app_subscription_follow from public;
create trigger app_subscription_merge before update of dept_id on app_subscription
  for each row when (new.dept_id <> old.dept_id) execute function app_subscription_merge();

-- Whether an organisation, or one above it, is on the blacklist of an app: also by a subscription that it ended itself.
create function app_blocked(app bigint, path text) returns boolean language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from app_subscription s where s.app_id = app and s.blacklist = '1' and starts_with(path, s.dept_path))
$$;
-- Whether what it, or one above it, was granted last is over by its term.
create function app_term_over(app bigint, path text, day date) returns boolean language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(bool_or(last.valid_until < day), false) from (
    select distinct on (s.dept_id) s.valid_until from app_subscription s
    where s.app_id = app and s.state in ('active', 'ended') and s.reason <> 'merged' and starts_with(path, s.dept_path) order by s.dept_id, s.id desc) last
$$;
-- Whether an organisation may have a version released: it, or one above it, brought the app or is subscribed to it; or it is one above who brought it.
create function app_may_release(version bigint, path text, day date) returns boolean language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from app_version v where v.id = version and (starts_with(path, v.dept_path) or starts_with(v.dept_path, path) or not app_blocked(v.app_id, path) and exists (
      select from app_subscription s where s.app_id = v.app_id and s.state = 'active' and starts_with(path, s.dept_path)
        and (s.valid_until is null or s.valid_until >= day) and (s.version_id is null or s.version_id = v.id))))
$$;
revoke all on function app_may_release, app_blocked, app_term_over from public;
grant execute on function app_may_release, app_blocked, app_term_over to mooring_app, mooring_system;
