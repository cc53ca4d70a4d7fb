-- Terminals of an organisation and of all below it, under a name: chosen one by one, or whoever meets a rule when it is asked.
create table device_group (
  id bigint generated always as identity primary key,
  name text not null,
  kind text not null check (kind in ('static', 'rule')),
  rule jsonb,
  remark text not null default '',
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now(),
  revision integer not null default 1,
  check ((kind = 'rule') = (rule is not null))
);
create unique index device_group_name on device_group (dept_id, lower(name));
create index device_group_list on device_group (dept_path, name, id);
create index device_group_kind on device_group (dept_path, kind, name, id);
create index device_group_created on device_group (dept_path, created_at, id);
create index device_group_search on device_group using gin (name gin_trgm_ops);
call own_by_path('device_group');
create trigger revision before update of name, rule, remark on device_group for each row execute function revision_next();

-- Of two organisations that are merged each may have a group of one name: the one that comes gets its number behind it.
create function device_group_rename() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from device_group where dept_id = new.dept_id and lower(name) = lower(new.name)) then
    new.name := left(new.name, 63 - length(new.id::text)) || '-' || new.id;
  end if;
  return new;
end $$;
create trigger rename before update of dept_id on device_group
  for each row when (new.dept_id <> old.dept_id) execute function device_group_rename();

-- A membership is the group's owner's, as the group is.
create table device_group_member (
  group_id bigint not null references device_group on delete cascade,
  device_id bigint not null references device on delete cascade,
  dept_path text collate "C" not null,
  primary key (group_id, device_id)
);
create unique index device_group_member_device on device_group_member (device_id, group_id);
call own_by_path('device_group_member');

-- How many are in a group, as signed differences that are added up by the way: who adds terminals waits for nobody.
create table device_group_tally (
  group_id bigint not null references device_group on delete cascade,
  n bigint not null,
  dept_path text collate "C" not null
);
create index device_group_tally_group on device_group_tally (group_id);
call own_by_path('device_group_tally');

create function device_group_tally_note() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into device_group_tally select group_id, count(*), min(dept_path) from added group by group_id;
  else
    -- Of a group that is gone, with all of its terminals, nothing is counted any more.
    insert into device_group_tally
      select group_id, -count(*), min(dept_path) from gone where exists (select from device_group g where g.id = group_id) group by group_id;
  end if;
  return null;
end $$;
create trigger device_group_member_insert after insert on device_group_member referencing new table as added for each statement execute function device_group_tally_note();
create trigger device_group_member_delete after delete on device_group_member referencing old table as gone for each statement execute function device_group_tally_note();

-- A terminal that is deleted, or goes to an organisation out of a group's range, leaves the group: also one that its mover doesn't see.
create function device_group_leave() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from device_group_member m using device_group g
  where m.device_id = new.id and g.id = m.group_id
    and (new.deleted_at is not null or new.dept_path < g.dept_path or new.dept_path >= g.dept_path || '~');
  return null;
end $$;
create trigger device_group_leave after update of dept_path, deleted_at on device for each row
  when (old.dept_path <> new.dept_path or (old.deleted_at is null and new.deleted_at is not null)) execute function device_group_leave();

-- Which groups a release is for: of its targets and of its rings. Null where it is for none, as nearly all are.
create function rollout_groups(scope jsonb, delivery jsonb) returns bigint[] language sql immutable as $$
  select array_agg(distinct g::bigint) from (
    select jsonb_array_elements_text(case when jsonb_typeof(scope -> 'groupIds') = 'array' then scope -> 'groupIds' else '[]' end) as g
    union all
    select jsonb_array_elements_text(case when jsonb_typeof(r -> 'groupIds') = 'array' then r -> 'groupIds' else '[]' end)
    from jsonb_array_elements(case when jsonb_typeof(delivery -> 'rings') = 'array' then delivery -> 'rings' else '[]' end) r
  ) x
$$;
alter table rollout_task add column group_ids bigint[] generated always as (rollout_groups(scope, delivery)) stored;
create index rollout_task_grouped on rollout_task (dept_path) where group_ids is not null and ended_at is null;
