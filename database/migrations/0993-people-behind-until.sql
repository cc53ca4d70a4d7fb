-- Who stood behind an account up to a moment: what was given after it was no way to do what was done by then.
drop function people_behind(bigint, timestamptz);
create function people_behind(who bigint, since timestamptz, until timestamptz default 'infinity') returns setof bigint language sql stable as $$
  with recursive behind(id) as (
    select who
    union
    select given.by from behind b cross join lateral (
      select g.given_by as by from account_given g where g.user_id = b.id and g.at > since and g.at <= until
      union all select r.granted_by from access_user_role r where r.user_id = b.id and r.granted_at > since and r.granted_at <= until and r.granted_by is not null
      union all select m.granted_by from access_managed_dept m where m.user_id = b.id and m.granted_at > since and m.granted_at <= until and m.granted_by is not null
    ) given
  )
  select id from behind
$$;
revoke all on function people_behind from public;
grant execute on function people_behind to mooring_system;
