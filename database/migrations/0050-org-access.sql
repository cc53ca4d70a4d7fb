-- A path and all above it: '1.2.7.' → {1.,1.2.,1.2.7.}.
create function path_and_above(path text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(array_to_string(parts[1:n], '.') || '.'), '{}')
  from (select string_to_array(rtrim(path, '.'), '.') as parts) p, generate_series(1, cardinality(parts)) n
$$;
-- Whether nothing at or above a department is shut: a few looks into one index.
create function is_dept_open(path text) returns boolean language sql stable parallel safe as $$
  select not exists (select from org_dept a where a.dept_path = any(path_and_above(path)) and a.state <> 'enabled')
$$;

alter table org_dept
  add column contact_name text not null default '',
  add column contact_phone text not null default '',
  add column contact_email text not null default '',
  add column address text not null default '',
  add column remark text not null default '',
  -- Why an application was refused.
  add column reason text,
  add column merged_into bigint references org_dept;
create unique index org_dept_sibling on org_dept (parent_id, lower(name)) where state not in ('closed', 'refused');
create index org_dept_part on org_dept using gin (name gin_trgm_ops);
create index org_dept_waiting on org_dept (created_at desc, id desc) where state in ('applied', 'refused');
create index org_dept_shut on org_dept (dept_path) where state <> 'enabled';

-- A term of trusteeship as each of its two sides sees it: a row a side, written together.
create table org_trust (
  id bigint generated always as identity primary key,
  pair text not null,
  side text not null check (side in ('giver', 'trustee')),
  dept_id bigint not null references org_dept,
  trustee_id bigint not null references org_dept,
  state text not null default 'active' check (state in ('active', 'ended', 'expired')),
  until timestamptz not null,
  given_by text not null,
  -- The side's own path.
  dept_path text collate "C" not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  unique (pair, side)
);
create unique index org_trust_once on org_trust (dept_id, trustee_id) where side = 'giver' and state = 'active';
create index org_trust_trustee on org_trust (trustee_id) where side = 'trustee' and state = 'active';
create index org_trust_dept on org_trust (dept_path);
create index org_trust_due on org_trust (until) where state = 'active';
call own_by_path('org_trust');

-- What a person may name in Accept-Deptid: their own department, the ones they manage, and those in trust of theirs.
create function managed_depts(who bigint) returns table (id bigint, path text) language sql stable as $$
  select o.id, o.dept_path from account_user u join org_dept o on o.id = u.dept_id
      or o.id in (select m.dept_id from access_managed_dept m where m.user_id = u.id)
      or (u.user_type = '1' and o.id in (select t.dept_id from org_trust t where t.trustee_id = u.dept_id and t.side = 'trustee' and t.state = 'active' and t.until > now()))
  where u.id = who and is_dept_open(o.dept_path)
$$;

create index account_user_part on account_user using gin (account gin_trgm_ops, name gin_trgm_ops);
create index account_user_joining on account_user (dept_path) where state = 'joining';
create index access_user_role_role on access_user_role (role_id);
create index access_managed_dept_dept on access_managed_dept (dept_id);
alter table access_role add column remark text not null default '';
create unique index access_role_name on access_role (dept_id, lower(name));

-- An invitation by mail. The code is in that mail alone; here is its hash.
create table account_invite (
  id bigint generated always as identity primary key,
  code_hash bytea not null unique,
  email text not null,
  user_type text not null check (user_type in ('1', '2')),
  role_ids bigint[] not null,
  state text not null default 'open' check (state in ('open', 'used', 'withdrawn', 'expired')),
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  invited_by bigint not null,
  invited_by_name text not null,
  used_by bigint,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index account_invite_created on account_invite (created_at desc, id desc);
create index account_invite_dept on account_invite (dept_path);
create index account_invite_due on account_invite (expires_at) where state = 'open';
call own_by_path('account_invite');

-- Set where somebody acts for an organisation that isn't theirs: the name of their own.
alter table audit_entry add column actor_dept text;
