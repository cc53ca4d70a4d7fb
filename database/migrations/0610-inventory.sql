-- What lies in stock, kept by the terminals themselves: lists and figures of a shelf look at no terminal that is in the field.
create table inventory_stock (
  id bigint primary key references device on delete cascade,
  sn text collate "C" not null,
  product_id bigint not null,
  since timestamptz not null default now(),
  entry_type text check (entry_type in ('1', '2', '3', '4', '5', '6', '7', '8', '9')),
  document text not null default '',
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null
);
call own_by_path('inventory_stock');

create function inventory_stock_follow() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.status = '5' and new.deleted_at is null and new.product_id is not null then
    insert into inventory_stock as s (id, sn, product_id, dept_id, dept_path) values (new.id, new.sn, new.product_id, new.dept_id, new.dept_path)
    on conflict (id) do update set sn = excluded.sn, product_id = excluded.product_id, dept_id = excluded.dept_id, dept_path = excluded.dept_path
      where (s.sn, s.product_id, s.dept_id, s.dept_path) is distinct from (excluded.sn, excluded.product_id, excluded.dept_id, excluded.dept_path);
  else
    delete from inventory_stock where id = new.id;
  end if;
  return null;
end $$;
create trigger inventory_stock_added after insert on device for each row when (new.status = '5') execute function inventory_stock_follow();
create trigger inventory_stock_changed after update of status, deleted_at, dept_id, dept_path, product_id, sn on device for each row
  when (new.status = '5' or old.status = '5') execute function inventory_stock_follow();
insert into inventory_stock (id, sn, product_id, since, dept_id, dept_path)
select id, sn, product_id, created_at, dept_id, dept_path from device where status = '5' and deleted_at is null and product_id is not null;
-- Made over what is there already: row by row they would take many times as long, and terminals wait.
create index inventory_stock_since on inventory_stock (dept_path, since, id);
create index inventory_stock_newest on inventory_stock (since, id) include (dept_path);
create index inventory_stock_sn on inventory_stock (dept_path, sn, id);
create index inventory_stock_sns on inventory_stock (sn, id) include (dept_path);
create index inventory_stock_product on inventory_stock (dept_path, product_id, since, id);
create index inventory_stock_dept on inventory_stock (dept_id, since, id);
create index inventory_stock_type on inventory_stock (dept_path, entry_type, since, id);
create index inventory_stock_search on inventory_stock using gin (sn gin_trgm_ops, document gin_trgm_ops);

-- How a terminal came to be here or into stock.
create table inventory_entry (
  id bigint generated always as identity primary key,
  -- No key: the record stays when the terminal is forgotten.
  device_id bigint not null,
  sn text collate "C" not null,
  type text not null check (type in ('1', '2', '3', '4', '5', '6', '7', '8', '9')),
  document text not null default '',
  by_name text not null default '',
  created_at timestamptz not null default now(),
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null
);
create index inventory_entry_list on inventory_entry (dept_path, created_at, id);
create index inventory_entry_newest on inventory_entry (created_at, id) include (dept_path);
create index inventory_entry_sn on inventory_entry (dept_path, sn, id);
create index inventory_entry_sns on inventory_entry (sn, id) include (dept_path);
create index inventory_entry_type on inventory_entry (dept_path, type, created_at, id);
create index inventory_entry_dept on inventory_entry (dept_id, created_at, id);
create index inventory_entry_search on inventory_entry using gin (sn gin_trgm_ops, document gin_trgm_ops, by_name gin_trgm_ops);
call own_by_path('inventory_entry');

-- Through whose hands a terminal went: written once, and never again.
create table device_custody (
  id bigint generated always as identity primary key,
  device_id bigint not null,
  event text not null,
  entry_type text,
  from_name text not null default '',
  to_name text not null default '',
  document text not null default '',
  by_name text not null default '',
  remark text not null default '',
  at timestamptz not null default now(),
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null
);
create index device_custody_device on device_custody (device_id, id);
create index device_custody_dept on device_custody (dept_path);
call own_by_path('device_custody');
create function device_custody_stays() returns trigger language plpgsql as $$
begin
  raise exception 'custody is written once';
end $$;
-- A unit that moves takes its rows along; what they say stays.
create trigger stays before update of device_id, event, entry_type, from_name, to_name, document, by_name, remark, at on device_custody
  for each row execute function device_custody_stays();
create trigger stays_there before delete on device_custody for each row execute function device_custody_stays();

-- Terminals that go to another organisation: what its sender has of it.
create table inventory_dispatch (
  id bigint generated always as identity primary key,
  number text not null,
  state text not null default '1' check (state in ('1', '3', '5', '7', '8', '9')),
  to_id bigint not null references org_dept,
  to_name text not null,
  total integer not null default 0,
  sent integer not null default 0,
  received integer not null default 0,
  failed integer not null default 0,
  back integer not null default 0,
  remark text not null default '',
  created_by text not null default '',
  created_at timestamptz not null default now(),
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null
);
create unique index inventory_dispatch_number on inventory_dispatch (dept_id, lower(number));
create index inventory_dispatch_numbers on inventory_dispatch (dept_path, number, id);
create index inventory_dispatch_first on inventory_dispatch (number, id) include (dept_path);
create index inventory_dispatch_list on inventory_dispatch (dept_path, created_at, id);
create index inventory_dispatch_newest on inventory_dispatch (created_at, id) include (dept_path);
create index inventory_dispatch_state on inventory_dispatch (dept_path, state, created_at, id);
create index inventory_dispatch_to on inventory_dispatch (dept_path, to_id, created_at, id);
create index inventory_dispatch_search on inventory_dispatch using gin (number gin_trgm_ops, to_name gin_trgm_ops, remark gin_trgm_ops);
call own_by_path('inventory_dispatch');

-- Of two organisations that are merged each may have a document of one number: the one that comes gets its own behind it.
create function inventory_renumber() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from inventory_dispatch where dept_id = new.dept_id and lower(number) = lower(new.number)) then
    new.number := left(new.number, 20) || '-' || new.id;
  end if;
  return new;
end $$;
create trigger renumber before update of dept_id on inventory_dispatch
  for each row when (new.dept_id <> old.dept_id) execute function inventory_renumber();

create table inventory_transfer (
  id bigint generated always as identity primary key,
  dispatch_id bigint not null references inventory_dispatch on delete cascade,
  device_id bigint not null,
  sn text collate "C" not null,
  product_name text not null default '',
  state text not null default '1' check (state in ('1', '3', '5', '7', '9', '11', '13', '15', '17')),
  sent_at timestamptz,
  reason text,
  note text not null default '',
  -- A later record of the same dispatch took its place.
  superseded boolean not null default false,
  changed_at timestamptz not null default now(),
  dept_path text collate "C" not null
);
-- A terminal is in one unfinished transfer at most, whoever asks at once.
create unique index inventory_transfer_open on inventory_transfer (device_id) where state = '1';
create index inventory_transfer_device on inventory_transfer (device_id, id);
create index inventory_transfer_of on inventory_transfer (dispatch_id, id);
create index inventory_transfer_sn on inventory_transfer (dispatch_id, sn, id);
create index inventory_transfer_state on inventory_transfer (dispatch_id, state, id);
create index inventory_transfer_changed on inventory_transfer (dispatch_id, changed_at, id);
create index inventory_transfer_sns on inventory_transfer (dept_path, sn, id);
create index inventory_transfer_first on inventory_transfer (sn, id) include (dept_path);
create index inventory_transfer_last on inventory_transfer (dept_path, changed_at, id);
create index inventory_transfer_states on inventory_transfer (dept_path, state, sn, id);
create index inventory_transfer_search on inventory_transfer using gin (sn gin_trgm_ops);
call own_by_path('inventory_transfer');

-- The same as its receiver has it: rows of their own, written with those of the sender.
create table inventory_receipt (
  id bigint generated always as identity primary key,
  -- No key: what was received stays when the sender deletes its dispatch.
  dispatch_id bigint not null unique,
  number text not null,
  from_name text not null,
  waiting integer not null default 0,
  accepted integer not null default 0,
  refused integer not null default 0,
  gone integer not null default 0,
  document text not null default '',
  signed_by text not null default '',
  remark text not null default '',
  sent_by text not null default '',
  created_at timestamptz not null default now(),
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null
);
create index inventory_receipt_numbers on inventory_receipt (dept_path, number, id);
create index inventory_receipt_first on inventory_receipt (number, id) include (dept_path);
create index inventory_receipt_list on inventory_receipt (dept_path, created_at, id);
create index inventory_receipt_newest on inventory_receipt (created_at, id) include (dept_path);
create index inventory_receipt_dept on inventory_receipt (dept_id, created_at, id);
create index inventory_receipt_waiting on inventory_receipt (dept_path) where waiting > 0;
create index inventory_receipt_search on inventory_receipt using gin (number gin_trgm_ops, from_name gin_trgm_ops, document gin_trgm_ops);
call own_by_path('inventory_receipt');

create table inventory_arrival (
  id bigint generated always as identity primary key,
  transfer_id bigint not null unique,
  receipt_id bigint not null references inventory_receipt on delete cascade,
  device_id bigint not null,
  sn text collate "C" not null,
  product_name text not null default '',
  state text not null,
  reason text,
  note text not null default '',
  superseded boolean not null default false,
  changed_at timestamptz not null,
  dept_path text collate "C" not null
);
create index inventory_arrival_of on inventory_arrival (receipt_id, id);
create index inventory_arrival_sn on inventory_arrival (receipt_id, sn, id);
create index inventory_arrival_state on inventory_arrival (receipt_id, state, id);
create index inventory_arrival_changed on inventory_arrival (receipt_id, changed_at, id);
create index inventory_arrival_sns on inventory_arrival (dept_path, sn, id);
create index inventory_arrival_first on inventory_arrival (sn, id) include (dept_path);
create index inventory_arrival_last on inventory_arrival (dept_path, changed_at, id);
create index inventory_arrival_states on inventory_arrival (dept_path, state, sn, id);
create index inventory_arrival_search on inventory_arrival using gin (sn gin_trgm_ops);
call own_by_path('inventory_arrival');

create table inventory_signature (
  id bigint generated always as identity primary key,
  receipt_id bigint not null references inventory_receipt on delete cascade,
  document text not null default '',
  signed_by text not null,
  signature jsonb not null default '[]',
  terminals integer not null default 0,
  at timestamptz not null default now(),
  dept_path text collate "C" not null
);
create index inventory_signature_receipt on inventory_signature (receipt_id, id);
create index inventory_signature_dept on inventory_signature (dept_path);
call own_by_path('inventory_signature');

-- What becomes of a record stands on both sides at once.
create function inventory_mirror() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into inventory_arrival as a (transfer_id, receipt_id, device_id, sn, product_name, state, reason, note, superseded, changed_at, dept_path)
  select new.id, r.id, new.device_id, new.sn, new.product_name, new.state, new.reason, new.note, new.superseded, new.changed_at, r.dept_path
  from inventory_receipt r where r.dispatch_id = new.dispatch_id
  on conflict (transfer_id) do update set state = excluded.state, reason = excluded.reason, note = excluded.note,
    superseded = excluded.superseded, changed_at = excluded.changed_at;
  return null;
end $$;
create trigger mirror_added after insert on inventory_transfer for each row when (new.sent_at is not null) execute function inventory_mirror();
create trigger mirror_changed after update of state, sent_at, reason, note, superseded on inventory_transfer
  for each row when (new.sent_at is not null) execute function inventory_mirror();

-- Figures of both sides: differences of each statement, so that no page counts rows.
create function inventory_is_out(state text) returns boolean language sql immutable as $$ select state in ('3', '7', '11', '13', '17') $$;
create function inventory_transfer_added() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update inventory_dispatch d set total = d.total + x.total, sent = d.sent + x.sent, received = d.received + x.received, failed = d.failed + x.failed, back = d.back + x.back
  from (
    select dispatch_id, count(*) as total,
      count(*) filter (where (state = '1' and sent_at is not null) or inventory_is_out(state)) as sent,
      count(*) filter (where inventory_is_out(state)) as received, count(*) filter (where state = '5') as failed,
      count(*) filter (where state in ('9', '15')) as back
    from added where not superseded group by dispatch_id
  ) x where d.id = x.dispatch_id;
  return null;
end $$;
create function inventory_transfer_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update inventory_dispatch d set total = d.total + x.total, sent = d.sent + x.sent, received = d.received + x.received, failed = d.failed + x.failed, back = d.back + x.back
  from (
    select dispatch_id, sum(n) as total,
      coalesce(sum(n) filter (where (state = '1' and sent_at is not null) or inventory_is_out(state)), 0) as sent,
      coalesce(sum(n) filter (where inventory_is_out(state)), 0) as received, coalesce(sum(n) filter (where state = '5'), 0) as failed,
      coalesce(sum(n) filter (where state in ('9', '15')), 0) as back
    from (
      select dispatch_id, state, sent_at, 1 as n from added where not superseded
      union all select dispatch_id, state, sent_at, -1 from gone where not superseded
    ) both_sides group by dispatch_id
  ) x where d.id = x.dispatch_id and (x.total, x.sent, x.received, x.failed, x.back) <> (0, 0, 0, 0, 0);
  return null;
end $$;
create trigger counted_added after insert on inventory_transfer referencing new table as added for each statement execute function inventory_transfer_added();
create trigger counted_changed after update on inventory_transfer referencing new table as added old table as gone for each statement execute function inventory_transfer_changed();

create function inventory_arrival_added() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update inventory_receipt r set waiting = r.waiting + x.waiting, accepted = r.accepted + x.accepted, refused = r.refused + x.refused, gone = r.gone + x.gone
  from (
    select receipt_id, count(*) filter (where state = '1') as waiting, count(*) filter (where inventory_is_out(state)) as accepted,
      count(*) filter (where state = '5') as refused, count(*) filter (where state in ('9', '15')) as gone
    from added where not superseded group by receipt_id
  ) x where r.id = x.receipt_id;
  return null;
end $$;
create function inventory_arrival_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update inventory_receipt r set waiting = r.waiting + x.waiting, accepted = r.accepted + x.accepted, refused = r.refused + x.refused, gone = r.gone + x.gone
  from (
    select receipt_id, coalesce(sum(n) filter (where state = '1'), 0) as waiting, coalesce(sum(n) filter (where inventory_is_out(state)), 0) as accepted,
      coalesce(sum(n) filter (where state = '5'), 0) as refused, coalesce(sum(n) filter (where state in ('9', '15')), 0) as gone
    from (
      select receipt_id, state, 1 as n from added where not superseded
      union all select receipt_id, state, -1 from left_behind where not superseded
    ) both_sides group by receipt_id
  ) x where r.id = x.receipt_id and (x.waiting, x.accepted, x.refused, x.gone) <> (0, 0, 0, 0);
  return null;
end $$;
create trigger counted_added after insert on inventory_arrival referencing new table as added for each statement execute function inventory_arrival_added();
create trigger counted_changed after update on inventory_arrival referencing new table as added old table as left_behind for each statement execute function inventory_arrival_changed();
