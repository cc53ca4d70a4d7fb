-- What the last release that succeeded on a terminal left there, of each kind and part (of apps each package name), and what the terminal says instead.
create table rollout_wanted (
  id bigint generated always as identity primary key,
  -- No reference: whoever writes here would hold the terminal after its results, and those that move it hold it before them. Gone with it at the next look.
  device_id bigint not null,
  kind text not null,
  part text collate "C" not null default '',
  -- The release may be gone since: what it left is wanted all the same, as far as whose it was reaches.
  task_id bigint not null,
  owner_dept_id bigint not null,
  -- Version or digest; none where it was put back or removed.
  version text collate "C",
  -- What the terminal had said until then: a report that was under way still says so.
  before text collate "C",
  -- It has said since that it is as wanted.
  settled boolean not null,
  at timestamptz not null,
  sent_at timestamptz not null,
  -- What it says now that isn't what is wanted, and since when.
  found text collate "C",
  since timestamptz,
  -- A release of the same is on its way to it.
  busy boolean not null default false,
  -- One that was made to put it right, until it has gathered its terminals or has ended.
  again_task_id bigint,
  dept_path text collate "C" not null
) with (fillfactor = 80);
create unique index rollout_wanted_device on rollout_wanted (device_id, kind, part);
create index rollout_wanted_drifted on rollout_wanted (kind, since, id) where since is not null and not busy;
create index rollout_wanted_drifted_all on rollout_wanted (since, id) where since is not null and not busy;
create index rollout_wanted_drifted_at on rollout_wanted (dept_path, kind, since, id) where since is not null and not busy;
create index rollout_wanted_again on rollout_wanted (again_task_id) where again_task_id is not null;
create index rollout_wanted_unsettled on rollout_wanted (device_id) where not settled and since is null;
call own_by_path('rollout_wanted');
revoke insert, delete on rollout_wanted from mooring_app;

-- Terminals that said something, or of which a release began or ended: the worker compares what is committed. Without a key, so that nobody waits for anyone.
create table rollout_look (
  id bigint generated always as identity primary key,
  device_id bigint not null,
  at timestamptz,
  -- Not before: a word that is under way has come by then.
  due_at timestamptz not null default '-infinity'
);
create index rollout_look_due on rollout_look (due_at, id);
revoke all on rollout_look from mooring_app;

-- Looked at where it has gone, and once it is gone. Nothing is changed here: who moves many holds no rows that results write.
create function rollout_wanted_follow() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into rollout_look (device_id) values (old.id);
  return null;
end $$;
revoke all on function rollout_wanted_follow from public;
create trigger rollout_wanted_follow after update of dept_path on device
  for each row when (old.dept_path <> new.dept_path) execute function rollout_wanted_follow();
create trigger rollout_wanted_leave after delete on device for each row execute function rollout_wanted_follow();

-- Whether a release of the same is on its way: whatever the row says by now, it may be under way to say otherwise.
create function rollout_wanted_busy() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into rollout_look (device_id) select distinct w.device_id from added a
      join rollout_wanted w on w.device_id = a.device_id and w.kind = a.kind;
  elsif tg_op = 'DELETE' then
    insert into rollout_look (device_id) select distinct w.device_id from gone g
      join rollout_wanted w on w.device_id = g.device_id and w.kind = g.kind where g.state in ('1', '2', '8');
  else
    insert into rollout_look (device_id) select distinct w.device_id from added a
      join gone g on g.id = a.id and (g.state in ('1', '2', '8')) <> (a.state in ('1', '2', '8'))
      join rollout_wanted w on w.device_id = a.device_id and w.kind = a.kind;
  end if;
  return null;
end $$;
revoke all on function rollout_wanted_busy from public;
create trigger rollout_wanted_insert after insert on rollout_result referencing new table as added
  for each statement execute function rollout_wanted_busy();
create trigger rollout_wanted_update after update on rollout_result referencing old table as gone new table as added
  for each statement execute function rollout_wanted_busy();
create trigger rollout_wanted_delete after delete on rollout_result referencing old table as gone
  for each statement execute function rollout_wanted_busy();

-- One that was to put it right is sent back, has gathered its terminals, has ended or is gone: what it doesn't account for is drift once more.
create function rollout_wanted_again() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into rollout_look (device_id) select device_id from rollout_wanted where again_task_id = old.id;
  return null;
end $$;
revoke all on function rollout_wanted_again from public;
create trigger rollout_wanted_moved after update of state, gathered_at on rollout_task
  for each row when (old.state <> new.state or (old.gathered_at is null) <> (new.gathered_at is null)) execute function rollout_wanted_again();
create trigger rollout_wanted_gone after delete on rollout_task for each row execute function rollout_wanted_again();
