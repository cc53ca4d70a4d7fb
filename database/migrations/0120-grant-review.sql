-- Each right that somebody holds, with who gave it and when it was last confirmed. Kept by the triggers below, whoever writes the grants.
create table access_grant_review (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('role', 'managed', 'token', 'trust')),
  -- Who holds it; nobody of a trusteeship, which organisations hold.
  user_id bigint references account_user on delete cascade,
  -- The role, department, token, or the giver's row of the trusteeship.
  subject_id bigint not null,
  state text not null default 'current' check (state in ('current', 'due', 'overdue', 'withdrawn')),
  granted_by bigint,
  way text not null default 'earlier',
  granted_at timestamptz,
  -- The interval runs from here: the giving, or the last confirmation. Of what is older than this table, from its making.
  counted_from timestamptz not null default now(),
  decided_at timestamptz,
  decided_by bigint,
  reminded_at timestamptz,
  dept_path text collate "C" not null
);
create unique index access_grant_review_once on access_grant_review (kind, subject_id, coalesce(user_id, 0)) where state <> 'withdrawn';
create index access_grant_review_user on access_grant_review (user_id);
create index access_grant_review_dept on access_grant_review (dept_path);
create index access_grant_review_from on access_grant_review (counted_from, id);
create index access_grant_review_open on access_grant_review (state) where state in ('due', 'overdue');
call own_by_path('access_grant_review');

create function grant_given(of_kind text, who bigint, subject bigint, giver bigint, how text, given timestamptz, path text) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into access_grant_review (kind, user_id, subject_id, granted_by, way, granted_at, counted_from, dept_path)
  select of_kind, who, subject, giver, coalesce(how, 'earlier'), given, coalesce(given, now()),
    coalesce(path, (select dept_path from account_user where id = who), '1.')
  on conflict (kind, subject_id, coalesce(user_id, 0)) where state <> 'withdrawn' do nothing
$$;
create function grant_gone(of_kind text, who bigint, subject bigint) returns void
  language sql security definer set search_path = public, pg_temp as $$
  delete from access_grant_review where kind = of_kind and subject_id = subject and coalesce(user_id, 0) = coalesce(who, 0) and state <> 'withdrawn'
$$;

create function review_role() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    perform grant_given('role', new.user_id, new.role_id, new.granted_by, new.granted_way, new.granted_at, null);
  else
    perform grant_gone('role', old.user_id, old.role_id);
  end if;
  return null;
end $$;
create trigger review_role after insert or delete on access_user_role for each row execute function review_role();

create function review_managed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    perform grant_given('managed', new.user_id, new.dept_id, new.granted_by, case when new.granted_by is null then 'system' else 'member' end, new.granted_at, null);
  else
    perform grant_gone('managed', old.user_id, old.dept_id);
  end if;
  return null;
end $$;
create trigger review_managed after insert or delete on access_managed_dept for each row execute function review_managed();

create function review_token() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    perform grant_given('token', new.user_id, new.id, new.user_id, 'own', new.created_at, new.dept_path);
  elsif tg_op = 'DELETE' then
    perform grant_gone('token', old.user_id, old.id);
  elsif new.revoked_at is not null then
    perform grant_gone('token', new.user_id, new.id);
  end if;
  return null;
end $$;
create trigger review_token after insert or delete or update of revoked_at on account_api_token for each row execute function review_token();

create function review_trust() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.side = 'giver' and new.state = 'active' then
      perform grant_given('trust', null, new.id, null, 'trust', new.created_at, new.dept_path);
    end if;
  elsif tg_op = 'DELETE' then
    perform grant_gone('trust', null, old.id);
  elsif new.state <> 'active' then
    perform grant_gone('trust', null, new.id);
  end if;
  return null;
end $$;
create trigger review_trust after insert or delete or update of state on org_trust for each row execute function review_trust();

-- What somebody holds is reviewed where they belong.
create function review_moved() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update access_grant_review set dept_path = new.dept_path where user_id = new.id and dept_path <> new.dept_path;
  return null;
end $$;
create trigger review_moved after update of dept_path on account_user for each row when (old.dept_path <> new.dept_path) execute function review_moved();

revoke all on function grant_given, grant_gone, review_role, review_managed, review_token, review_trust, review_moved from public;

insert into access_grant_review (kind, user_id, subject_id, granted_by, way, granted_at, dept_path)
select 'role', g.user_id, g.role_id, g.granted_by, coalesce(g.granted_way, 'earlier'), g.granted_at, u.dept_path
from access_user_role g join account_user u on u.id = g.user_id;
insert into access_grant_review (kind, user_id, subject_id, granted_by, way, granted_at, dept_path)
select 'managed', g.user_id, g.dept_id, g.granted_by, case when g.granted_at is null then 'earlier' else 'member' end, g.granted_at, u.dept_path
from access_managed_dept g join account_user u on u.id = g.user_id;
insert into access_grant_review (kind, user_id, subject_id, granted_by, way, granted_at, dept_path)
select 'token', user_id, id, user_id, 'own', created_at, dept_path from account_api_token where revoked_at is null;
insert into access_grant_review (kind, subject_id, way, granted_at, dept_path)
select 'trust', id, 'trust', created_at, dept_path from org_trust where side = 'giver' and state = 'active';
