-- Outside IoT platforms that terminals are forwarded to: where they are, what goes there, what waits for them, and what came of it.
create table customer_iot (
  id bigint generated always as identity primary key,
  name text not null,
  kind text not null check (kind in ('aws', 'mqtt', 'https')),
  state text not null default 'draft' check (state in ('draft', 'active', 'failing', 'paused')),
  endpoint text not null,
  region text not null default '',
  control_endpoint text not null default '',
  policy text not null default '',
  topic text not null default '',
  sign_in text not null check (sign_in in ('token', 'hmac', 'password', 'certificate', 'accessKey')),
  user_name text not null default '',
  certificate text not null default '',
  ca text not null default '',
  secret_sealed bytea not null,
  properties text not null default 'all' check (properties in ('none', 'all', 'some')),
  property_names text[] not null default '{}',
  events text not null default 'all' check (events in ('none', 'all', 'some')),
  event_names text[] not null default '{}',
  event_level text not null default 'info' check (event_level in ('info', 'warning', 'alarm')),
  presence boolean not null default true,
  product_ids bigint[] not null default '{}',
  backlog_days integer not null default 7,
  backlog_rows integer not null default 100000,
  reason text,
  failing_since timestamptz,
  delivered_at timestamptz,
  dropped bigint not null default 0,
  -- Whose turn it is to send, until when, and when the next try is.
  lease_by text,
  lease_until timestamptz,
  next_at timestamptz not null default '-infinity',
  tries integer not null default 0,
  -- Messages refused in a row, and the terminal that was sent for last: the next one has its turn.
  refusals integer not null default 0,
  after_sn text collate "C" not null default '',
  -- When terminals may be registered there again.
  control_at timestamptz not null default '-infinity',
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now(),
  revision integer not null default 1
);
create unique index customer_iot_name on customer_iot (dept_id, lower(name));
create index customer_iot_list on customer_iot (dept_path, created_at, id);
create index customer_iot_begun on customer_iot (dept_path) where state <> 'draft';
call own_by_path('customer_iot');
create trigger revision before update of name, endpoint, region, control_endpoint, policy, topic, sign_in, user_name, certificate, ca, secret_sealed, properties,
  property_names, events, event_names, event_level, presence, product_ids, backlog_days, backlog_rows on customer_iot for each row execute function revision_next();

-- Of two organisations that are merged each may have one of a name: the one that comes gets its own behind it.
create function customer_iot_rename() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from customer_iot where dept_id = new.dept_id and lower(name) = lower(new.name)) then
    new.name := left(new.name, 50) || '-' || new.id;
  end if;
  return new;
end $$;
create trigger rename before update of dept_id on customer_iot for each row when (new.dept_id <> old.dept_id) execute function customer_iot_rename();

-- Begun or ended by a person it begins anew: what went wrong before is over.
create function customer_iot_anew() returns trigger language plpgsql as $$
begin
  new.reason := null;
  new.failing_since := null;
  new.tries := 0;
  new.refusals := 0;
  new.next_at := '-infinity';
  new.control_at := '-infinity';
  return new;
end $$;
create trigger anew before update of state on customer_iot for each row
  when (new.state <> old.state and (new.state = 'paused' or old.state in ('draft', 'paused'))) execute function customer_iot_anew();

-- How many messages of a terminal there were: the number of each is its place in their order.
-- No reference to the platform: what is said meanwhile never waits for a platform that changes or ends. What is left of one is deleted bit by bit.
create table customer_sequence (
  customer_id bigint not null,
  device_id bigint not null references device on delete cascade,
  n bigint not null,
  primary key (customer_id, device_id)
);
create index customer_sequence_device on customer_sequence (device_id);
alter table customer_sequence enable row level security;
create policy everything on customer_sequence for all to mooring_system using (true) with check (true);
revoke all on customer_sequence from mooring_app;

-- What goes out, in the order of its ids; what went stays for a while, to be sent again.
create table customer_message (
  id bigint generated always as identity primary key,
  customer_id bigint not null,
  device_id bigint,
  sn text collate "C" not null,
  product text not null,
  kind text not null check (kind in ('event', 'property', 'presence')),
  name text not null default '',
  data jsonb not null,
  seq bigint not null,
  message_id uuid not null default gen_random_uuid(),
  fate text not null default 'waiting' check (fate in ('waiting', 'sent', 'refused', 'dropped')),
  reason text,
  tries integer not null default 0,
  -- How often the platform broke at it while others got through, and when it is tried again.
  breaks integer not null default 0,
  next_at timestamptz,
  again integer not null default 0,
  at timestamptz not null,
  ended_at timestamptz,
  dept_path text collate "C" not null
);
create index customer_message_waiting on customer_message (customer_id, id) where fate = 'waiting';
create index customer_message_terminal on customer_message (customer_id, sn, id) where fate = 'waiting';
create index customer_message_of on customer_message (customer_id, at, id);
create index customer_message_list on customer_message (dept_path, at, id);
create index customer_message_newest on customer_message (at, id) include (dept_path);
create index customer_message_fate on customer_message (dept_path, fate, at, id);
create index customer_message_search on customer_message using gin (sn gin_trgm_ops);
call own_by_path('customer_message');

create table customer_hour (
  customer_id bigint not null references customer_iot on delete cascade,
  hour timestamptz not null,
  sent bigint not null default 0,
  refused bigint not null default 0,
  dropped bigint not null default 0,
  dept_path text collate "C" not null,
  primary key (customer_id, hour)
);
create index customer_hour_path on customer_hour (dept_path);
call own_by_path('customer_hour');

-- What terminals said becomes messages to each platform that wants it, in the transaction that keeps it. The rows of a terminal come one after the other:
-- whoever notes holds its presence.
create function customer_note(what text, items jsonb) returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare
  noted integer;
begin
  if not exists (select from customer_iot where state <> 'draft') then return 0; end if;
  with item as materialized (
    select i.* from rows from (jsonb_to_recordset(items) as (device_id bigint, at timestamptz, name text, level text, data jsonb)) with ordinality
      as i(device_id, at, name, level, data, place)
  ), wanted as materialized (
    select c.id as customer_id, c.dept_path, d.id as device_id, d.sn, p.code as product, i.at, coalesce(i.name, '') as name, i.place,
      case when what = 'property' and c.properties = 'some'
        then jsonb_build_object('values', (select jsonb_object_agg(v.key, v.value) from jsonb_each(i.data -> 'values') v where v.key = any(c.property_names)))
        else i.data end as data
    from item i join device d on d.id = i.device_id and d.deleted_at is null join product_product p on p.id = d.product_id
    join customer_iot c on c.dept_path = any(paths_above(d.dept_path)) and c.state <> 'draft'
    where (cardinality(c.product_ids) = 0 or d.product_id = any(c.product_ids))
      and case what
        when 'presence' then c.presence
        when 'property' then c.properties <> 'none'
        else (c.events = 'all' or (c.events = 'some' and lower(i.name) = any(select lower(e) from unnest(c.event_names) e)))
          and array_position(array['info', 'warning', 'alarm'], i.level) >= array_position(array['info', 'warning', 'alarm'], c.event_level) end
      and (c.kind <> 'aws' or exists (select from customer_registration r where r.customer_id = c.id and r.device_id = d.id
        and r.registered_at is not null and r.state in ('registered', 'waiting', 'failed')))
  ), kept as materialized (
    select * from wanted where what <> 'property' or jsonb_typeof(data -> 'values') = 'object' and data -> 'values' <> '{}'
  ), counted as (
    insert into customer_sequence as s (customer_id, device_id, n)
    select customer_id, device_id, count(*) from kept group by 1, 2 order by 1, 2
    on conflict (customer_id, device_id) do update set n = s.n + excluded.n returning customer_id, device_id, n
  )
  insert into customer_message (customer_id, device_id, sn, product, kind, name, data, seq, at, dept_path)
  select k.customer_id, k.device_id, k.sn, k.product, what, k.name, k.data,
    c.n - count(*) over (partition by k.customer_id, k.device_id) + row_number() over (partition by k.customer_id, k.device_id order by k.place), k.at, k.dept_path
  from kept k join counted c using (customer_id, device_id) order by k.customer_id, k.device_id, k.place;
  get diagnostics noted = row_count;
  return noted;
end $$;
revoke all on function customer_note from public;
grant execute on function customer_note to mooring_system;

-- Whether a terminal is there is a move of its lifecycle.
create function customer_presence() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from customer_iot where presence and state <> 'draft') then return null; end if;
  perform customer_note('presence', (
    select jsonb_agg(jsonb_build_object('device_id', c.row_id, 'at', c.at, 'name', case when c.event in ('lost', 'disable') then 'offline' else 'online' end,
      'data', jsonb_build_object('online', c.event not in ('lost', 'disable'))) order by c.row_id)
    from changed c where c.life = 'device' and (c.event in ('activate', 'seen', 'lost') or c.event = 'disable' and c.from_state = '3')));
  return null;
end $$;
revoke all on function customer_presence from public;
create trigger customer_presence after insert on state_change referencing new table as changed for each statement execute function customer_presence();
