-- What waits for an outside platform is told to whoever looks, also while nothing is sent there.
create function customer_message_told() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into live_touch (call_group, dept_path)
  select g.name, a.dept_path from (select distinct dept_path from added) a cross join (values ('/thirdServerIot'), ('/thirdServerIot/message')) g(name);
  return null;
end $$;
revoke all on function customer_message_told from public;
create trigger customer_message_told after insert on customer_message referencing new table as added for each statement execute function customer_message_told();
