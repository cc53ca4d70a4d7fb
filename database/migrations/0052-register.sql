-- Whether strangers find it at the door. Without a word of its own a business unit is open, anything else is not.
alter table org_dept
  add column joinable boolean,
  -- Told to those who are to find it; not a secret, and not in order.
  add column join_code text not null default upper(left(replace(gen_random_uuid()::text, '-', ''), 10));
create index org_dept_join_code on org_dept (join_code);

-- Who came in by registering, and which unit's people decide. How it stands is the state of the person and of their organisation.
create table auth_registration (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('org', 'child', 'join', 'one')),
  user_id bigint not null unique references account_user on delete cascade,
  decider_id bigint not null references org_dept,
  lang text not null,
  created_at timestamptz not null default now()
);
-- Only the server itself reads it, never a person's transaction.
revoke all on auth_registration from mooring_app;

-- An invitation to register an organisation below a unit. The code is in that mail alone; here is its hash.
create table org_invite (
  id bigint generated always as identity primary key,
  code_hash bytea not null unique,
  email text not null,
  name text not null,
  state text not null default 'open' check (state in ('open', 'used', 'withdrawn', 'expired')),
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  invited_by bigint not null,
  invited_by_name text not null,
  used_dept bigint,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index org_invite_created on org_invite (created_at desc, id desc);
create index org_invite_dept on org_invite (dept_path);
create index org_invite_due on org_invite (expires_at) where state = 'open';
call own_by_path('org_invite');
