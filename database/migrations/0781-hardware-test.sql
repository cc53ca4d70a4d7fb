-- Tests that terminals make of their own parts. The organisation and product of its time; what became of it stays when the terminal is another's.
create table hardware_test (
  id bigint generated always as identity primary key,
  -- Message id of its command on the wire.
  key text not null unique,
  device_id bigint not null references device on delete cascade,
  sn text not null,
  product_id bigint not null references product_product,
  state text not null default 'requested' check (state in ('requested', 'running', 'passed', 'failed', 'expired', 'cancelled')),
  parts text[] not null,
  failed_parts text[] not null default '{}',
  reason text,
  by_id bigint,
  by_name text,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_at timestamptz not null,
  started_at timestamptz,
  -- When the terminal said that it is done, though not all of its parts were told of yet: messages overtake one another.
  done_at timestamptz,
  ended_at timestamptz,
  expires_at timestamptz not null
);
call own_by_path('hardware_test');
-- One at a time: a terminal has one printer.
create unique index hardware_test_open on hardware_test (device_id) where state in ('requested', 'running');
create index hardware_test_device on hardware_test (device_id, created_at desc);
create index hardware_test_created on hardware_test (created_at, id);
create index hardware_test_dept_created on hardware_test (dept_path, created_at);
create index hardware_test_state on hardware_test (dept_path, state, created_at);
create index hardware_test_product on hardware_test (product_id, created_at);
create index hardware_test_dept on hardware_test (dept_id, created_at);
create index hardware_test_failed on hardware_test using gin (failed_parts) where failed_parts <> '{}';
create index hardware_test_expiry on hardware_test (expires_at) where state in ('requested', 'running');
create index hardware_test_search on hardware_test using gin (sn gin_trgm_ops);

-- What a terminal found of each part.
create table hardware_test_part (
  test_id bigint not null references hardware_test on delete cascade,
  part text not null,
  outcome text not null check (outcome in ('passed', 'failed', 'absent')),
  reason text,
  message text,
  figures jsonb not null default '{}',
  primary key (test_id, part)
);
alter table hardware_test_part enable row level security;
create policy of_test on hardware_test_part to mooring_app using ((select true from hardware_test t where t.id = test_id)) with check ((select true from hardware_test t where t.id = test_id));
create policy everything on hardware_test_part to mooring_system using (true) with check (true);
revoke insert, update, delete on hardware_test_part from mooring_app;

-- A test ends with its command: nobody waits for what was withdrawn.
create function hardware_test_withdrawn() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with found as (
    select id, state from hardware_test where key = new.key and device_id = new.device_id and state in ('requested', 'running') for update
  ), moved as (
    update hardware_test t set state = 'cancelled', ended_at = now() from found where t.id = found.id returning t.id, found.state as was, t.dept_path
  ), noted as (
    insert into state_change (life, row_id, event, from_state, to_state, dept_path)
    select 'hardwareTest', id, 'cancel', was, 'cancelled', dept_path from moved
  )
  insert into live_touch (call_group, dept_path) select '/hardWareTest', dept_path from moved;
  return null;
end $$;
revoke all on function hardware_test_withdrawn from public;
create trigger hardware_test_withdrawn after update of state on gateway_outbox for each row
  when (new.topic = 'command' and new.kind = 'hardwareTest' and new.state = 'withdrawn' and old.state <> 'withdrawn') execute function hardware_test_withdrawn();

-- A terminal that is deleted, or goes to another organisation, ends the tests of its former owner: they would bar the next one's, and tell of its terminal.
-- Where organisations are merged the tests have gone along before.
create function hardware_test_leave() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  keys text[];
begin
  with found as (
    select id, state from hardware_test
    where device_id = new.id and state in ('requested', 'running') and (dept_id <> new.dept_id or new.deleted_at is not null) order by id for update
  ), moved as (
    update hardware_test t set state = 'cancelled', ended_at = now() from found where t.id = found.id returning t.id, t.key, found.state as was, t.dept_path
  ), noted as (
    insert into state_change (life, row_id, event, from_state, to_state, dept_path)
    select 'hardwareTest', id, 'cancel', was, 'cancelled', dept_path from moved
  ), touched as (
    insert into live_touch (call_group, dept_path) select '/hardWareTest', dept_path from moved
  )
  select array_agg(key) into keys from moved;
  if keys is null then
    return null;
  end if;
  with found as (
    select id, state from gateway_outbox where key = any(keys) and state in ('waiting', 'sent') order by id for update
  ), moved as (
    update gateway_outbox t set state = 'withdrawn' from found where t.id = found.id returning t.id, found.state as was, t.dept_path
  )
  insert into state_change (life, row_id, event, from_state, to_state, dept_path)
  select 'deviceCommand', id, 'withdraw', was, 'withdrawn', dept_path from moved;
  return null;
end $$;
revoke all on function hardware_test_leave from public;
create trigger hardware_test_leave after update of dept_id, deleted_at on device for each row
  when (old.dept_id <> new.dept_id or (old.deleted_at is null and new.deleted_at is not null)) execute function hardware_test_leave();
