-- Who gave somebody their account, password or address, took away their second factor, or changed a role of theirs: nobody approves a change of a person
-- who has such a hold on them. Roles and managed organisations say so themselves. Kept for a month.
create table account_given (
  user_id bigint not null references account_user on delete cascade,
  given_by bigint not null,
  what text not null check (what in ('account', 'password', 'factor', 'contact', 'role')),
  at timestamptz not null default now()
);
create index account_given_user on account_given (user_id, at);
create index account_given_at on account_given (at);
revoke select, update, delete on account_given from mooring_app;

-- The person, and everybody who had such a hold on them since then, also through others.
create function people_behind(who bigint, since timestamptz) returns setof bigint language sql stable as $$
  with recursive behind(id) as (
    select who
    union
    select given.by from behind b cross join lateral (
      select g.given_by as by from account_given g where g.user_id = b.id and g.at > since
      union all select r.granted_by from access_user_role r where r.user_id = b.id and r.granted_at > since and r.granted_by is not null
      union all select m.granted_by from access_managed_dept m where m.user_id = b.id and m.granted_at > since and m.granted_by is not null
    ) given
  )
  select id from behind
$$;
revoke all on function people_behind from public;
grant execute on function people_behind to mooring_system;
