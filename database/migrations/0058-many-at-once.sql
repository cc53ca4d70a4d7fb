-- What many terminals write at once.

-- A status named by an index made each change of it a new entry in every index of the device. Who is shut out is kept beside it.
drop index device_shut_out;
create table device_shut (device_id bigint primary key references device on delete cascade);
alter table device_shut enable row level security;
create policy everything on device_shut to mooring_system using (true) with check (true);
revoke all on device_shut from mooring_app;
insert into device_shut select id from device where status = '4' or deleted_at is not null;

create function device_shut_note() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    if exists (select from gone where status = '4' or deleted_at is not null) then
      delete from device_shut s using added a where s.device_id = a.id and a.status <> '4' and a.deleted_at is null;
    end if;
  end if;
  if exists (select from added where status = '4' or deleted_at is not null) then
    insert into device_shut select id from added where status = '4' or deleted_at is not null on conflict do nothing;
  end if;
  return null;
end $$;
revoke all on function device_shut_note from public;
create trigger device_shut_insert after insert on device referencing new table as added for each statement execute function device_shut_note();
create trigger device_shut_update after update on device referencing new table as added old table as gone for each statement execute function device_shut_note();
-- Room for the next versions of a row on its own page; the first hello makes a row half as long again.
alter table device set (fillfactor = 60);

-- The task of a million results was looked up and locked a million times: now once for each statement that adds some.
alter table rollout_result drop constraint rollout_result_task_id_fkey;
create or replace function rollout_tally_note() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if exists (select from (select distinct task_id from added) a where not exists (select from rollout_task t where t.id = a.task_id for key share)) then
      raise foreign_key_violation using message = 'a result of no task';
    end if;
    insert into rollout_tally select task_id, dept_path, ring, state, count(*) from added group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into rollout_tally select task_id, dept_path, ring, state, -count(*) from gone group by 1, 2, 3, 4;
  else
    -- One statement moves its rows to one state: what grew is what moved there. What only followed its unit grew nowhere.
    with changed as (
      select task_id, dept_path, ring, state, sum(n) as n from (
        select task_id, dept_path, ring, state, 1 as n from added union all select task_id, dept_path, ring, state, -1 from gone
      ) d group by 1, 2, 3, 4 having sum(n) <> 0
    ), counted as (
      insert into rollout_tally select task_id, dept_path, ring, state, n from changed
    )
    insert into rollout_minute
    select task_id, dept_path, date_trunc('minute', now()), state, sum(n) from (
      select *, sum(n) over (partition by task_id, state) as grown from changed where state in ('3', '4', '5', '6', '7')
    ) c where grown > 0 and n > 0 group by 1, 2, 4;
  end if;
  return null;
end $$;
create function rollout_task_gone() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from rollout_result where task_id in (select id from gone);
  return null;
end $$;
revoke all on function rollout_task_gone from public;
create trigger rollout_task_delete after delete on rollout_task referencing old table as gone for each statement execute function rollout_task_gone();
