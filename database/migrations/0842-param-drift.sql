-- Terminals that were sent their own result of a template: what they would get today, and whether they have something else.
create table paramfile_given (
  template_id bigint not null references paramfile_template on delete cascade,
  device_id bigint not null references device on delete cascade,
  dept_path text collate "C" not null,
  -- The digest of today's result; none where a required value is missing.
  wanted text,
  behind boolean not null default false,
  -- This one terminal is to be looked at again: it stands elsewhere, or has values of its own.
  stale boolean not null default false,
  primary key (template_id, device_id)
);
create index paramfile_given_device on paramfile_given (device_id);
create index paramfile_given_path on paramfile_given (dept_path);
create index paramfile_given_place on paramfile_given (template_id, dept_path, device_id);
create index paramfile_given_stale on paramfile_given (template_id, device_id) where stale;
create index paramfile_given_behind on paramfile_given (template_id, dept_path, device_id) where behind;
create index paramfile_given_next on paramfile_given (template_id, device_id) where behind;
call own_by_path('paramfile_given');

-- Whoever was put back, or never got it, isn't behind: nothing of the template is set there.
create function paramfile_given_wanted() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  has text;
begin
  select settings ->> ('androidParam.' || new.template_id) into has from device where id = new.device_id;
  new.behind := has is not null and has is distinct from new.wanted;
  return new;
end $$;
revoke all on function paramfile_given_wanted from public;
create trigger wanted before insert or update of wanted on paramfile_given for each row execute function paramfile_given_wanted();

-- What a terminal says it has.
create function paramfile_given_reported() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update paramfile_given set wanted = wanted where device_id = new.id;
  return null;
end $$;
revoke all on function paramfile_given_reported from public;
create trigger params_reported after update of settings on device
  for each row when (new.settings is distinct from old.settings) execute function paramfile_given_reported();

-- Places whose terminals are to be looked at again, in the background and a part at a time: until that is done nobody there counts as up to date.
create table paramfile_stale (
  id bigint generated always as identity primary key,
  template_id bigint not null references paramfile_template on delete cascade,
  level text not null check (level in ('all', 'org', 'merchant', 'shop')),
  path text collate "C",
  place_id bigint,
  -- How far it came: by path below an organisation, by number elsewhere.
  after_path text collate "C" not null default '',
  after_id bigint not null default 0
);
create index paramfile_stale_template on paramfile_stale (template_id, id);
revoke insert, update, delete on paramfile_stale from mooring_app;

create function paramfile_look_soon() returns void language sql security definer set search_path = public, pg_temp as $$
  select enqueue_job('paramfile:drift', '{"payload":{}}'::json, null::timestamptz, 'paramfile:drift', null::int, 10);
$$;
revoke all on function paramfile_look_soon from public;

create function paramfile_look_again(template bigint, of_level text, of_path text, of_place bigint) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if of_level = 'device' then
    update paramfile_given set stale = true where template_id = template and device_id = of_place;
    if not found then return; end if;
  else
    insert into paramfile_stale (template_id, level, path, place_id) values (template, of_level, of_path, of_place);
  end if;
  perform paramfile_look_soon();
end $$;
revoke all on function paramfile_look_again from public;

create function paramfile_level_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    perform paramfile_look_again(old.template_id, old.level, old.dept_path, old.place_id);
  end if;
  if tg_op = 'INSERT' or tg_op = 'UPDATE' and new.place_id <> old.place_id then
    perform paramfile_look_again(new.template_id, new.level, new.dept_path, new.place_id);
  end if;
  return null;
end $$;
revoke all on function paramfile_level_changed from public;
create trigger changed after insert or delete on paramfile_level for each row execute function paramfile_level_changed();
create trigger changed_again after update of values, locked, secret_keys, sealed, device_id on paramfile_level
  for each row execute function paramfile_level_changed();

create function paramfile_fields_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform paramfile_look_again(new.id, 'all', null, null);
  return null;
end $$;
revoke all on function paramfile_fields_changed from public;
create trigger looked_again after update of fields on paramfile_template
  for each row when (new.fields is distinct from old.fields) execute function paramfile_fields_changed();

-- Of all that move by one statement: an organisation takes thousands along. Held in one order, or two who move would wait for each other.
create function paramfile_device_stands() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Set against set: joined by their numbers, without knowing how many there are, each would be held against each.
  if not exists (select id, dept_path, merchant_id, shop_id from moved_to except select id, dept_path, merchant_id, shop_id from moved_from) then
    return null;
  end if;
  update paramfile_given g set dept_path = x.dept_path, stale = true from (
    select h.template_id, h.device_id, n.dept_path from (
      select id, dept_path, merchant_id, shop_id from moved_to except select id, dept_path, merchant_id, shop_id from moved_from
    ) n join paramfile_given h on h.device_id = n.id
    order by h.template_id, h.device_id for update of h
  ) x where g.template_id = x.template_id and g.device_id = x.device_id;
  if found then perform paramfile_look_soon(); end if;
  return null;
end $$;
revoke all on function paramfile_device_stands from public;
create trigger params_stand after update on device referencing new table as moved_to old table as moved_from
  for each statement execute function paramfile_device_stands();
