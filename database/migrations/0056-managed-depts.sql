-- Each call of the customer platform asks this: three looks by index, not one over all departments.
create or replace function managed_depts(who bigint) returns table (id bigint, path text) language sql stable as $$
  select o.id, o.dept_path from (
    select u.dept_id from account_user u where u.id = who
    union select m.dept_id from access_managed_dept m where m.user_id = who
    union select t.dept_id from account_user u join org_trust t on t.trustee_id = u.dept_id
      where u.id = who and u.user_type = '1' and t.side = 'trustee' and t.state = 'active' and t.until > now()
  ) mine join org_dept o on o.id = mine.dept_id where is_dept_open(o.dept_path)
$$;
