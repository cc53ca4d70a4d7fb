-- Generated from database/migrations by `npm run generate`. Read it, do not change it.

-- Extensions

create extension pg_trgm;

-- Functions and procedures

CREATE OR REPLACE FUNCTION public.alert_receiver_uses(which bigint)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select count(*)::int from alert_rule u where u.receiver_ids @> array[which] or u.escalate_ids @> array[which]
$function$;

CREATE OR REPLACE FUNCTION public.alert_rename()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  is_taken boolean;
begin
  execute format('select exists (select from %I where dept_id = $1 and lower(name) = lower($2))', tg_table_name) into is_taken using new.dept_id, new.name;
  if is_taken then new.name := left(new.name, 63 - length(new.id::text)) || '-' || new.id; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.alert_signals()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from changed where life = 'task' and event in ('halt', 'finish')) then
    insert into alert_signal (kind, row_id, at, data, dept_path)
    select 'release', c.row_id, c.at, jsonb_build_object('when', case c.event when 'halt' then 'halted' else 'finished' end), c.dept_path from changed c
    where c.life = 'task' and c.event in ('halt', 'finish')
      and exists (select from alert_rule r where r.kind = 'release' and r.enabled and r.dept_path = any(paths_above(c.dept_path)));
  end if;
  if exists (select from changed where life = 'device' and event = 'lost') and exists (select from alert_rule where kind = 'outage' and enabled) then
    insert into alert_lost (minute, n, dept_path)
    select date_trunc('minute', at), count(*), dept_path from changed where life = 'device' and event = 'lost' group by 1, 3;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.alert_tally_note()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into alert_tally (day, rule_id, product_id, priority, n, dept_path)
  select (opened_at at time zone 'UTC')::date, rule_id, product_id, priority, count(*), dept_path from added group by 1, 2, 3, 4, 6;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.alert_unmute()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from alert_mute where device_id = new.id;
  delete from alert_pending where device_id = new.id and dept_path <> new.dept_path;
  update alert_alarm set quiet = false where device_id = new.id and quiet and dept_id <> new.dept_id;
  with found as (
    select id, state from alert_alarm where device_id = new.id and kind <> 'geofence' and state <> 'closed' and dept_id <> new.dept_id order by id for update
  ), moved as (
    update alert_alarm t set state = 'closed', closed_at = now(), ended_since = null, tell_at = null, escalate_at = null from found
    where t.id = found.id returning t.id, found.state as was, t.dept_path
  )
  insert into state_change (life, row_id, event, from_state, to_state, dept_path)
  select 'alarm', id, 'recover', was, 'closed', dept_path from moved;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.app_blocked(app bigint, path text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select exists (select from app_subscription s where s.app_id = app and s.blacklist = '1' and starts_with(path, s.dept_path))
$function$;

CREATE OR REPLACE FUNCTION public.app_callback_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from changed where life in ('appReview', 'appPublish', 'appSubscription', 'taskResult')) then return null; end if;
  if not exists (select from settings_webhook where enabled and app_id is not null) then return null; end if;
  insert into settings_webhook_delivery (webhook_id, event_id, event, body, dept_path)
  with ended as (
    select c.*, t.app_version_id, t.content ->> 'action' as action, t.content ->> 'packageName' as package,
      case when r.reason ~ '^[a-z][A-Za-z]{1,31}$' then r.reason when r.reason is not null then 'other' end as reason
    from changed c join rollout_result r on r.id = c.row_id and r.kind = 'softApp' join rollout_task t on t.id = r.task_id
    where c.life = 'taskResult' and c.to_state in ('3', '4', '5', '6', '7', '9', '10') and t.content ->> 'action' <> 'trial'
  )
  select w.id, 'evt_' || replace(gen_random_uuid()::text, '-', ''), c.life || '.' || c.event,
    jsonb_build_object('type', c.life || '.' || c.event, 'timestamp', to_char(c.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'data', jsonb_build_object('life', c.life, 'event', c.event, 'id', c.row_id, 'from', c.from_state, 'to', c.to_state,
        'appId', a.id, 'appName', a.name, 'packageName', a.package_name) || c.more)::text,
    w.dept_path
  from (
    select c.life, c.event, c.row_id, c.from_state, c.to_state, c.at, v.app_id,
      jsonb_build_object('versionId', v.id, 'versionName', v.version_name, 'versionCode', v.version_code) as more
    from changed c join app_version v on v.id = c.row_id where c.life in ('appReview', 'appPublish')
    union all
    select c.life, c.event, c.row_id, c.from_state, c.to_state, c.at, s.app_id,
      jsonb_build_object('deptId', s.dept_id, 'deptName', s.dept_name, 'validUntil', s.valid_until, 'blacklist', s.blacklist)
    from changed c join app_subscription s on s.id = c.row_id where c.life = 'appSubscription'
    union all
    select e.life, e.event, e.row_id, e.from_state, e.to_state, e.at, f.app_id,
      jsonb_build_object('action', e.action, 'versionId', v.id, 'versionName', v.version_name, 'versionCode', v.version_code, 'reason', e.reason,
        'deptId', s.dept_id, 'deptName', s.dept_name)
    from ended e join app_version v on v.id = e.app_version_id join settings_webhook f on f.app_id = v.app_id
      cross join lateral app_callback_taker(f.app_id, e.dept_path) s
    union all
    select e.life, e.event, e.row_id, e.from_state, e.to_state, e.at, f.app_id,
      jsonb_build_object('action', e.action, 'reason', e.reason, 'deptId', s.dept_id, 'deptName', s.dept_name)
    from ended e join app_app o on o.package_name = e.package and o.deleted_at is null join settings_webhook f on f.app_id = o.id
      cross join lateral app_callback_taker(f.app_id, e.dept_path) s
    where e.app_version_id is null and e.action = 'uninstall' and not app_callback_unclear(o.id, o.package_name, e.dept_path)
  ) c
  join settings_webhook w on w.app_id = c.app_id and w.enabled and not developer_suspended(w.dept_id)
  -- Whoever doesn't have the app any more hears of it no more.
  join app_app a on a.id = c.app_id and a.deleted_at is null and starts_with(a.dept_path, w.dept_path)
  for key share of w skip locked;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.app_callback_taker(app bigint, place text)
 RETURNS TABLE(dept_id bigint, dept_name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 1
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select s.dept_id, s.dept_name from app_subscription s
  where s.app_id = app and s.state = 'active' and starts_with(place, s.dept_path)
    and (s.valid_until is null or s.valid_until >= (now() at time zone 'UTC')::date) and not app_blocked(app, place)
  order by length(s.dept_path) desc limit 1
$function$;

CREATE OR REPLACE FUNCTION public.app_callback_unclear(app bigint, package text, place text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select exists (
    select from app_app o where o.package_name = package and o.id <> app and o.deleted_at is null
      and (starts_with(place, o.dept_path) or starts_with(o.dept_path, place)
        or exists (select from app_subscription x where x.app_id = o.id and x.state = 'active' and starts_with(place, x.dept_path))))
$function$;

CREATE OR REPLACE FUNCTION public.app_for_all_here()
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select v.id from app_version v left join org_dept o on o.id = v.market_id
  where v.scope = '0' and v.publish_state in ('1', '3') and v.deleted_at is null
    and (o.dept_path = any((select scope_ancestors())::text[]) or v.dept_path = any((select scope_ancestors())::text[]))
$function$;

CREATE OR REPLACE FUNCTION public.app_listed_for(version bigint, path text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select exists (select from app_version v where v.id = version and v.review_state = '2' and v.publish_state in ('1', '3') and v.deleted_at is null and (
    exists (select from app_places(version) place where starts_with(path, place)) or v.scope = '2' and exists (
      select from app_version_sn s join device d on d.sn = s.sn and d.deleted_at is null
      where s.version_id = v.id and starts_with(path, s.dept_path) and starts_with(d.dept_path, path))))
$function$;

CREATE OR REPLACE FUNCTION public.app_listed_here()
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select d.version_id from app_version_dept d where d.dept_path = any((select scope_ancestors())::text[])
$function$;

CREATE OR REPLACE FUNCTION public.app_market_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update app_version set market_id = new.merged_into where market_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.app_may_release(version bigint, path text, day date)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select exists (
    select from app_version v where v.id = version and (starts_with(path, v.dept_path) or starts_with(v.dept_path, path) or not app_blocked(v.app_id, path) and exists (
      select from app_subscription s where s.app_id = v.app_id and s.state = 'active' and starts_with(path, s.dept_path)
        and (s.valid_until is null or s.valid_until >= day) and (s.version_id is null or s.version_id = v.id))))
$function$;

CREATE OR REPLACE FUNCTION public.app_on_terminals_here()
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select distinct s.version_id from app_version_sn s join device d on d.sn = s.sn and d.deleted_at is null
  where s.dept_path = any((select scope_ancestors())::text[]) and d.dept_path >= scope_path() and d.dept_path < scope_path() || '~'
$function$;

CREATE OR REPLACE FUNCTION public.app_owner_name(app bigint)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select o.name from app_app a join org_dept o on o.id = a.dept_id where a.id = app
$function$;

CREATE OR REPLACE FUNCTION public.app_places(version bigint)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select place from app_version v left join org_dept o on o.id = v.market_id, unnest(array[o.dept_path, v.dept_path]) place
  where v.id = version and v.scope = '0' and place is not null
  union all
  select d.dept_path from app_version v join app_version_dept d on d.version_id = v.id where v.id = version and v.scope = '1'
$function$;

CREATE OR REPLACE FUNCTION public.app_standings(version bigint, day date)
 RETURNS TABLE(place text, standing text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with of as (select s.* from app_version v join app_subscription s on s.app_id = v.app_id where v.id = version)
  select dept_path, 'blocked' from of where blacklist = '1'
  union all
  select dept_path, 'over' from (
    select distinct on (dept_id) dept_path, valid_until from of where state in ('active', 'ended') and reason <> 'merged' order by dept_id, id desc) last
  where valid_until < day
  union all
  select dept_path, case when version_id is null or version_id = version then 'held' else 'pinned' end
  from of where state = 'active' and (valid_until is null or valid_until >= day)
$function$;

CREATE OR REPLACE FUNCTION public.app_subscription_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update app_subscription set owner_path = new.dept_path where app_id = new.id and owner_path <> new.dept_path;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.app_subscription_merge()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  stays bigint;
begin
  select id into stays from app_subscription
    where dept_id = new.dept_id and app_id = new.app_id and state in ('asked', 'active') and id <> new.id for update;
  if stays is null then
    return new;
  end if;
  -- The stricter of the two holds.
  update app_subscription set blacklist = greatest(blacklist, new.blacklist), edited_at = now(),
    valid_until = case when new.state = 'active' then least(valid_until, new.valid_until) else valid_until end
    where id = stays and (blacklist < new.blacklist or new.state = 'active' and new.valid_until is not null);
  new.blacklist := '0';
  if new.state in ('asked', 'active') then
    new.state := 'ended';
    new.reason := 'merged';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.app_subscription_merged()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into state_change (life, row_id, event, from_state, to_state, dept_path)
  values ('appSubscription', new.id, 'end', old.state, new.state, new.dept_path);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.app_term_over(app bigint, path text, day date)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select coalesce(bool_or(last.valid_until < day), false) from (
    select distinct on (s.dept_id) s.valid_until from app_subscription s
    where s.app_id = app and s.state in ('active', 'ended') and s.reason <> 'merged' and starts_with(path, s.dept_path) order by s.dept_id, s.id desc) last
$function$;

CREATE OR REPLACE FUNCTION public.app_twin()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from app_app where dept_id = new.dept_id and package_name = new.package_name and deleted_at is null and not twin and id <> new.id) then
    new.twin := true;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.app_version_tried(version bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select exists (select from rollout_task t where t.app_version_id = version)
$function$;

CREATE OR REPLACE FUNCTION public.approval_config_merge()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.dept_id <> old.dept_id and exists (select from approval_config where dept_id = new.dept_id and task_type = new.task_type) then
    return null;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.approval_due_over()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.step is distinct from old.step or new.result is distinct from old.result then
    new.due_at := null;
    new.warn_at := null;
    new.when_late := null;
    new.late_at := null;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.customer_iot_anew()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.reason := null;
  new.failing_since := null;
  new.tries := 0;
  new.refusals := 0;
  new.next_at := '-infinity';
  new.control_at := '-infinity';
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.customer_iot_rename()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from customer_iot where dept_id = new.dept_id and lower(name) = lower(new.name)) then
    new.name := left(new.name, 50) || '-' || new.id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.customer_message_told()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into live_touch (call_group, dept_path)
  select g.name, a.dept_path from (select distinct dept_path from added) a cross join (values ('/thirdServerIot'), ('/thirdServerIot/message')) g(name);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.customer_note(what text, items jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.customer_presence()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from customer_iot where presence and state <> 'draft') then return null; end if;
  perform customer_note('presence', (
    select jsonb_agg(jsonb_build_object('device_id', c.row_id, 'at', c.at, 'name', case when c.event in ('lost', 'disable') then 'offline' else 'online' end,
      'data', jsonb_build_object('online', c.event not in ('lost', 'disable'))) order by c.row_id)
    from changed c where c.life = 'device' and (c.event in ('activate', 'seen', 'lost') or c.event = 'disable' and c.from_state = '3')));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.customer_registration_look()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update customer_registration set look_at = now() where device_id = new.id and state in ('waiting', 'registered', 'failed');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.customer_registration_orphaned()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.look_at := now();
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.customer_registration_renewed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update customer_registration set look_at = now() where device_id = new.device_id and state in ('waiting', 'registered', 'failed');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.dept_in_scope(id bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from org_dept o where o.id = $1 and o.dept_path >= scope_path() and o.dept_path < scope_path() || '~')
$function$;

CREATE OR REPLACE FUNCTION public.dept_of_path(path text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select substring(path from '(\d+)\.$')::bigint
$function$;

CREATE OR REPLACE FUNCTION public.desktop_line()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  highest integer;
begin
  if tg_op = 'INSERT' then
    if new.state = 'draft' and new.created_at = now() then
      new.line_id := new.id;
      new.number := null;
      new.published_by := '';
    end if;
    new.line_id := coalesce(new.line_id, new.id);
  end if;
  if new.state = 'published' and new.number is null then
    execute format('select coalesce(max(number), 0) from %I.%I where line_id = $1', tg_table_schema, tg_table_name) into highest using new.line_id;
    insert into desktop_line as l (part, line_id, given) values (tg_table_name, new.line_id, highest + 1)
      on conflict (part, line_id) do update set given = greatest(l.given, highest) + 1
      returning l.given into new.number;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.developer_suspended(dept bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from app_developer d where d.dept_id = dept and d.state = 'suspended')
    and not exists (select from app_developer d where d.dept_id = dept and d.state = 'accepted')
$function$;

CREATE OR REPLACE FUNCTION public.device_app_count()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'DELETE' then
    delete from device_app where device_id = old.id;
    return old;
  end if;
  insert into stats_change
  select a.dept_path, p.product, 'app', stats_app_of(a.package_name, a.version_code, a.version_name), null::timestamptz, p.n
  from device_app a, (values (old.product_id, -1), (new.product_id, 1)) p(product, n) where a.device_id = new.id and not a.system;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.device_app_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if new.deleted_at is not null then
    delete from device_app where device_id = new.id;
  else
    update device_app set dept_path = new.dept_path where device_id = new.id and dept_path <> new.dept_path;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.device_app_names(pattern text, most integer)
 RETURNS TABLE(package_name text, name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with recursive names as (
    (select a.package_name, 1 as step from device_app a order by a.package_name limit 1)
    union all
    select (select a.package_name from device_app a where a.package_name > n.package_name order by a.package_name limit 1), n.step + 1
    from names n where n.package_name is not null and n.step < 5000
  )
  select n.package_name, own.name from names n
  cross join lateral (
    select a.name from device_app a
    where a.package_name = n.package_name and a.dept_path >= scope_path() and a.dept_path < scope_path() || '~' limit 1
  ) own
  where n.package_name is not null and (n.package_name ilike pattern or own.name ilike pattern) limit most
$function$;

CREATE OR REPLACE FUNCTION public.device_attention_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if new.deleted_at is not null or new.status not in ('2', '3') then
    delete from device_attention where device_id = new.id;
  else
    update device_attention set dept_path = new.dept_path, product_id = new.product_id
    where device_id = new.id and (dept_path <> new.dept_path or product_id <> new.product_id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.device_begin_config()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  select p.config, 1 into new.config, new.config_revision from product_product p where p.id = new.product_id and p.config <> '{}';
  if not found then
    new.config := '{}';
    new.config_revision := 0;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.device_cell(lat double precision, lon double precision)
 RETURNS bigint
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  sine double precision := sin(radians(greatest(-85.05112878, least(85.05112878, lat))));
  x bigint := greatest(0, least(1048575, floor((lon + 180) / 360 * 1048576)::bigint));
  y bigint := greatest(0, least(1048575, floor((0.5 - ln((1 + sine) / (1 - sine)) / (4 * pi())) * 1048576)::bigint));
begin
  x := (x | (x << 16)) & 281470681808895;
  x := (x | (x << 8)) & 71777214294589695;
  x := (x | (x << 4)) & 1085102592571150095;
  x := (x | (x << 2)) & 3689348814741910323;
  x := (x | (x << 1)) & 6148914691236517205;
  y := (y | (y << 16)) & 281470681808895;
  y := (y | (y << 8)) & 71777214294589695;
  y := (y | (y << 4)) & 1085102592571150095;
  y := (y | (y << 2)) & 3689348814741910323;
  y := (y | (y << 1)) & 6148914691236517205;
  return x | (y << 1);
end $function$;

CREATE OR REPLACE FUNCTION public.device_custody_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'custody is written once';
end $function$;

CREATE OR REPLACE FUNCTION public.device_double_begin()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into device_double_turn select id from added where deleted_at is null and (reported_number(imei) is not null or reported_number(iccid) is not null);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.device_double_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  imei text := reported_number(new.imei);
  iccid text := reported_number(upper(new.iccid));
begin
  if new.deleted_at is not null then
    delete from device_double where device_id = new.id;
    return null;
  end if;
  if new.dept_path <> old.dept_path then
    update device_double set dept_path = new.dept_path where device_id = new.id and dept_path <> new.dept_path;
  end if;
  if new.imei is distinct from old.imei or new.iccid is distinct from old.iccid then
    delete from device_double d where d.device_id = new.id and d.value is distinct from case d.kind when 'imei' then imei else iccid end;
  end if;
  if (imei is not null and new.imei is distinct from old.imei) or (iccid is not null and new.iccid is distinct from old.iccid)
    or (old.deleted_at is not null and (imei is not null or iccid is not null))
  then
    insert into device_double_turn values (new.id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.device_failure_note()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op in ('INSERT', 'UPDATE') then
    insert into device_failure_change select dept_path, product_id, cell >> 16, day, source, reason, count(*) from added group by 1, 2, 3, 4, 5, 6;
  end if;
  if tg_op in ('DELETE', 'UPDATE') then
    insert into device_failure_change select dept_path, product_id, cell >> 16, day, source, reason, -count(*) from gone group by 1, 2, 3, 4, 5, 6;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.device_failure_of_alarm()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'UPDATE' then
    delete from device_failure where alarm_id = new.id;
    return null;
  end if;
  insert into device_failure (device_id, dept_path, product_id, cell, day, source, reason, alarm_id)
  select p.device_id, new.dept_path, p.product_id, p.cell, (new.opened_at at time zone 'UTC')::date, 'alarm', new.kind, new.id
  from device_place p where p.device_id = new.device_id and p.cell is not null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.device_failure_of_command()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into device_failure (device_id, dept_path, product_id, cell, day, source, reason)
  select p.device_id, new.dept_path, p.product_id, p.cell, (coalesce(new.answered_at, now()) at time zone 'UTC')::date, 'command', coalesce(new.reason, 'unknown')
  from device_place p where p.device_id = new.device_id and p.cell is not null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.device_failure_of_results()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from added where state in ('4', '5', '7')) then return null; end if;
  insert into device_failure (device_id, dept_path, product_id, cell, day, source, reason)
  select a.device_id, a.dept_path, p.product_id, p.cell, (coalesce(a.ended_at, a.changed_at) at time zone 'UTC')::date, 'release',
    case when a.state = '5' then 'timeout' else coalesce(a.reason, 'unknown') end
  from added a join gone g on g.id = a.id join device_place p on p.device_id = a.device_id
  where a.state in ('4', '5', '7') and g.state not in ('4', '5', '7') and p.cell is not null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.device_group_leave()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from device_group_member m using device_group g
  where m.device_id = new.id and g.id = m.group_id
    and (new.deleted_at is not null or new.dept_path < g.dept_path or new.dept_path >= g.dept_path || '~');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.device_group_rename()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from device_group where dept_id = new.dept_id and lower(name) = lower(new.name)) then
    new.name := left(new.name, 63 - length(new.id::text)) || '-' || new.id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.device_group_tally_note()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into device_group_tally select group_id, count(*), min(dept_path) from added group by group_id;
  else
    -- Of a group that is gone, with all of its terminals, nothing is counted any more.
    insert into device_group_tally
      select group_id, -count(*), min(dept_path) from gone where exists (select from device_group g where g.id = group_id) group by group_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.device_group_uses(which bigint)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select (select count(*)::int from rollout_task u where u.group_ids is not null and u.ended_at is null and which = any(u.group_ids))
    + (select count(*)::int from geofence u where u.group_ids @> array[which])
    + (select count(*)::int from alert_rule u where which = any(u.group_ids))
$function$;

CREATE OR REPLACE FUNCTION public.device_left_merchant()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from merchant_merchant m where m.id = new.merchant_id and starts_with(new.dept_path, m.dept_path)) then
    new.merchant_id := null;
    new.shop_id := null;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.device_map_note()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into device_map_change
    select dept_path, product_id, status, coalesce(cell >> 16, -1), count(*), coalesce(sum(round(lat * 1e5)), 0), coalesce(sum(round(lon * 1e5)), 0)
    from added where not deleted group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into device_map_change
    select dept_path, product_id, status, coalesce(cell >> 16, -1), -count(*), -coalesce(sum(round(lat * 1e5)), 0), -coalesce(sum(round(lon * 1e5)), 0)
    from gone where not deleted group by 1, 2, 3, 4;
  else
    insert into device_map_change
    select dept_path, product_id, status, coalesce(cell >> 16, -1), sum(n), sum(n * coalesce(round(lat * 1e5), 0)), sum(n * coalesce(round(lon * 1e5), 0)) from (
      select dept_path, product_id, status, cell, lat, lon, 1 as n from added where not deleted
      union all select dept_path, product_id, status, cell, lat, lon, -1 from gone where not deleted
    ) d group by 1, 2, 3, 4
    having sum(n) <> 0 or sum(n * coalesce(round(lat * 1e5), 0)) <> 0 or sum(n * coalesce(round(lon * 1e5), 0)) <> 0;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.device_place_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  changed bigint[];
  placed bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(id) into placed from added where merchant_id is not null;
    if placed is not null then
      perform device_place_hold(array(select merchant_id from added), array(select shop_id from added));
    end if;
    insert into device_place (device_id, dept_path, product_id, status, deleted, merchant_id, shop_id)
    select id, dept_path, product_id, status, deleted_at is not null, merchant_id, shop_id from added;
    if placed is not null then perform device_place_inherit(placed); end if;
    return null;
  end if;
  execute $q$
    select array_agg(a.id order by a.id), array_agg(a.id order by a.id) filter (
      where (a.dept_path, a.merchant_id, a.shop_id) is distinct from (p.dept_path, p.merchant_id, p.shop_id) or (a.status = '5' and p.status <> '5'))
    from added a join device_place p on p.device_id = a.id
    where (a.status, a.dept_path, a.product_id, a.deleted_at is not null, a.merchant_id, a.shop_id)
      is distinct from (p.status, p.dept_path, p.product_id, p.deleted, p.merchant_id, p.shop_id)
  $q$ into changed, placed;
  if changed is null then return null; end if;
  if placed is not null then
    perform device_place_hold(array(select merchant_id from added where id = any(placed)), array(select shop_id from added where id = any(placed)));
  end if;
  perform from device_place where device_id = any(changed) order by device_id for no key update;
  -- Who came and who left.
  execute $q$
    insert into device_contact (device_id, came, product_id, dept_path)
    select a.id, a.status = '3', a.product_id, a.dept_path from added a join device_place p on p.device_id = a.id
    where a.id = any($1) and a.status <> p.status and '3' in (a.status, p.status) and a.deleted_at is null
  $q$ using changed;
  execute $q$
    update device_place p set dept_path = a.dept_path, product_id = a.product_id, status = a.status, deleted = a.deleted_at is not null,
      merchant_id = a.merchant_id, shop_id = a.shop_id
    from added a where p.device_id = a.id and a.id = any($1)
  $q$ using changed;
  if placed is not null then
    update device_place set lat = null, lon = null, accuracy = null, source = null, at = null where device_id = any(placed) and lat is not null;
    perform from device_presence where device_id = any(placed) order by device_id for no key update;
    update device_presence set lat = null, lon = null, accuracy = null, position_source = null, positioned_at = null,
      kept_lat = null, kept_lon = null, kept_at = null
    where device_id = any(placed) and (lat is not null or kept_at is not null);
    perform device_place_inherit(placed);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.device_place_hold(merchants bigint[], shops bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform from merchant_merchant where id = any(merchants) order by id for share;
  perform from merchant_shop where id = any(shops) order by id for share;
end $function$;

CREATE OR REPLACE FUNCTION public.device_place_inherit(ids bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform from device_place where device_id = any(ids) order by device_id for no key update;
  update device_place p set lat = x.lat, lon = x.lon, accuracy = null, source = x.source, at = null
  from (
    select d.id, coalesce(s.lat, m.lat) as lat, case when s.lat is null then m.lon else s.lon end as lon,
      case when s.lat is not null then 'shop' when m.lat is not null then 'merchant' end as source
    from device d left join merchant_merchant m on m.id = d.merchant_id left join merchant_shop s on s.id = d.shop_id
    where d.id = any(ids)
  ) x
  where p.device_id = x.id and (p.source is null or p.source in ('shop', 'merchant'))
    and (p.lat, p.lon, p.source) is distinct from (x.lat, x.lon, x.source);
end $function$;

CREATE OR REPLACE FUNCTION public.device_put_away()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.merchant_id := null;
  new.shop_id := null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.device_shut_note()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.device_tally_note()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    with changed as (
      select dept_path, product_id, status, coalesce(firmware, '') as fw, count(*) as n from added where deleted_at is null group by 1, 2, 3, 4
    ), counted as (
      insert into device_tally select dept_path, product_id, status, fw, n from changed
    )
    insert into stats_change
    select dept_path, product_id, 'status', status, null::timestamptz, sum(n) from changed group by 1, 2, 4
    union all select dept_path, product_id, 'firmware', fw, null, sum(n) from changed where fw <> '' group by 1, 2, 4
    union all select dept_path, product_id, 'activated', '', date_trunc('hour', activated_at, 'UTC'), count(*) from added where activated_at is not null group by 1, 2, 5;
  elsif tg_op = 'DELETE' then
    with changed as (
      select dept_path, product_id, status, coalesce(firmware, '') as fw, -count(*) as n from gone where deleted_at is null group by 1, 2, 3, 4
    ), counted as (
      insert into device_tally select dept_path, product_id, status, fw, n from changed
    )
    insert into stats_change
    select dept_path, product_id, 'status', status, null::timestamptz, sum(n) from changed group by 1, 2, 4
    union all select dept_path, product_id, 'firmware', fw, null, sum(n) from changed where fw <> '' group by 1, 2, 4;
  else
    with changed as (
      select dept_path, product_id, status, fw, sum(n) as n from (
        select dept_path, product_id, status, coalesce(firmware, '') as fw, 1 as n from added where deleted_at is null
        union all select dept_path, product_id, status, coalesce(firmware, ''), -1 from gone where deleted_at is null
      ) d group by 1, 2, 3, 4 having sum(n) <> 0
    ), counted as (
      insert into device_tally select dept_path, product_id, status, fw, n from changed
    )
    insert into stats_change
    select dept_path, product_id, 'status', status, null::timestamptz, sum(n) from changed group by 1, 2, 4 having sum(n) <> 0
    union all select dept_path, product_id, 'firmware', fw, null, sum(n) from changed where fw <> '' group by 1, 2, 4 having sum(n) <> 0;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.enqueue_job(job text, payload json, run_at timestamp with time zone, job_key text, max_attempts integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform graphile_worker.add_job(job, payload, run_at => run_at, job_key => job_key, max_attempts => max_attempts);
end $function$;

CREATE OR REPLACE FUNCTION public.enqueue_job(job text, payload json, run_at timestamp with time zone, job_key text, max_attempts integer, priority integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform graphile_worker.add_job(job, payload, run_at => run_at, job_key => job_key, max_attempts => max_attempts, priority => priority);
end $function$;

CREATE OR REPLACE FUNCTION public.file_usage_note()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  part constant text := format('select dept_of_path(r.dept_path) as dept_id, %s as kind, (%s)::bigint as size, %%s as n from %%I r where %s',
    tg_argv[0], coalesce(tg_argv[1], 'r.size'), coalesce(tg_argv[2], 'true'));
  moved text := concat_ws(' union all ',
    case when tg_op <> 'DELETE' then format(part, '1', 'added') end, case when tg_op <> 'INSERT' then format(part, '-1', 'gone') end);
begin
  execute format(
    'with moved as (select dept_id, kind, sum(n) as files, sum(n * size) as bytes from (%s) d group by 1, 2 having sum(n) <> 0 or sum(n * size) <> 0),
     seen as (insert into file_usage select distinct dept_id, '''', 0, 0 from moved order by 1 on conflict do nothing)
     insert into file_usage_change select * from moved', moved);
  return null;
end $function$;

CREATE OR REPLACE PROCEDURE public.follow_device(IN t regclass)
 LANGUAGE plpgsql
AS $procedure$
begin
  execute format('alter table %s enable row level security', t);
  execute format('create policy of_device on %s to mooring_app using ((select true from device d where d.id = device_id)) with check ((select true from device d where d.id = device_id))', t);
  execute format('create policy everything on %s to mooring_system using (true) with check (true)', t);
end $procedure$;

CREATE OR REPLACE FUNCTION public.geofence_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from changed) then insert into geofence_version values (1); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.geofence_leave()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- The fence before where terminals stand to it, as whoever changes one locks them.
  perform from geofence where id in (select fence_id from geofence_state where device_id = new.id) order by id for key share;
  delete from geofence_state s using geofence f where s.device_id = new.id and f.id = s.fence_id and (new.deleted_at is not null or not starts_with(new.dept_path, f.dept_path));
  update geofence_state set dept_path = new.dept_path where device_id = new.id and dept_path <> new.dept_path;
  update geofence f set device_ids = array_remove(f.device_ids, new.id)
  where f.device_ids @> array[new.id] and (new.deleted_at is not null or not starts_with(new.dept_path, f.dept_path));
  with found as (
    select a.id, a.state from alert_alarm a where a.device_id = new.id and a.kind = 'geofence' and a.state <> 'closed'
      and (new.deleted_at is not null or not exists (select from alert_rule r where r.id = a.rule_id and starts_with(new.dept_path, r.dept_path)))
    order by a.id for update
  ), moved as (
    update alert_alarm t set state = 'closed', reason = 'notFor', closed_at = now(), ended_since = null, tell_at = null, escalate_at = null from found
    where t.id = found.id returning t.id, found.state as was, t.dept_path
  )
  insert into state_change (life, row_id, event, from_state, to_state, dept_path)
  select 'alarm', id, 'recover', was, 'closed', dept_path from moved;
  -- What was closed before and isn't told yet is told to nobody there.
  update alert_alarm a set tell_at = null where a.device_id = new.id and a.kind = 'geofence' and a.tell_at is not null
    and not exists (select from alert_rule r where r.id = a.rule_id and starts_with(new.dept_path, r.dept_path));
  update alert_alarm set dept_id = new.dept_id, dept_path = new.dept_path where device_id = new.id and kind = 'geofence' and state <> 'closed' and dept_path <> new.dept_path;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.geofence_put_away()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- The fence before where terminals stand to it, as whoever changes one locks them.
  perform from geofence where id in (select fence_id from geofence_state where device_id = new.id) order by id for key share;
  update geofence_state set state = 'gone', due_at = '-infinity' where device_id = new.id and state <> 'gone';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.geofence_rule()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into alert_rule (name, kind, priority, for_minutes, clear_minutes, receiver_ids, channels, tell_end, repeat_hours, escalate_minutes, escalate_ids,
      quiet_from, quiet_to, quiet_through, enabled, dept_id, dept_path)
    values (new.name, 'geofence', new.priority, 0, 0, new.receiver_ids, new.channels, new.tell_end, new.repeat_hours, new.escalate_minutes, new.escalate_ids,
      new.quiet_from, new.quiet_to, new.quiet_through, new.enabled, new.dept_id, new.dept_path)
    returning id into new.rule_id;
    return new;
  elsif tg_op = 'UPDATE' then
    update alert_rule set name = new.name, priority = new.priority, receiver_ids = new.receiver_ids, channels = new.channels, tell_end = new.tell_end,
      repeat_hours = new.repeat_hours, escalate_minutes = new.escalate_minutes, escalate_ids = new.escalate_ids, quiet_from = new.quiet_from,
      quiet_to = new.quiet_to, quiet_through = new.quiet_through, enabled = new.enabled
    where id = new.rule_id;
    return null;
  end if;
  delete from alert_rule where id = old.rule_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.geofence_shop()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from geofence where shape = 'shop') then return null; end if;
  perform geofence_shop_gone(case tg_table_name
    when 'device' then array[new.id]
    when 'merchant_shop' then array(select id from device where shop_id = new.id)
    else array(select id from device where merchant_id = new.id) end);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.geofence_shop_gone(terminals bigint[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select from geofence where shape = 'shop' and id in (select fence_id from geofence_state where device_id = any(terminals)) order by id for key share;
  with found as materialized (
    select s.device_id, s.fence_id from geofence_state s join geofence f on f.id = s.fence_id and f.shape = 'shop'
    where s.device_id = any(terminals) and s.state <> 'gone' order by s.device_id, s.fence_id for no key update of s
  )
  update geofence_state s set state = 'gone', due_at = '-infinity' from found x where s.device_id = x.device_id and s.fence_id = x.fence_id;
$function$;

CREATE OR REPLACE FUNCTION public.geofence_tally_note()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into geofence_tally
    select a.fence_id, count(*) filter (where a.state = 'inside'), count(*) filter (where a.state = 'outside'), f.dept_path
    from added a join geofence f on f.id = a.fence_id where a.state <> 'gone' group by 1, 4;
  elsif tg_op = 'DELETE' then
    insert into geofence_tally
    select a.fence_id, -count(*) filter (where a.state = 'inside'), -count(*) filter (where a.state = 'outside'), f.dept_path
    from gone a join geofence f on f.id = a.fence_id where a.state <> 'gone' group by 1, 4;
  else
    insert into geofence_tally
    select x.fence_id, sum(x.inside), sum(x.outside), f.dept_path from (
      select fence_id, (state = 'inside')::int as inside, (state = 'outside')::int as outside from added
      union all select fence_id, -(state = 'inside')::int, -(state = 'outside')::int from gone
    ) x join geofence f on f.id = x.fence_id group by 1, 4 having sum(x.inside) <> 0 or sum(x.outside) <> 0;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.grant_given(of_kind text, who bigint, subject bigint, giver bigint, how text, given timestamp with time zone, path text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  insert into access_grant_review (kind, user_id, subject_id, granted_by, way, granted_at, counted_from, dept_path)
  select of_kind, who, subject, giver, coalesce(how, 'earlier'), given, coalesce(given, now()),
    coalesce(path, (select dept_path from account_user where id = who), '1.')
  on conflict (kind, subject_id, coalesce(user_id, 0)) where state <> 'withdrawn' do nothing
$function$;

CREATE OR REPLACE FUNCTION public.grant_gone(of_kind text, who bigint, subject bigint)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  delete from access_grant_review where kind = of_kind and subject_id = subject and coalesce(user_id, 0) = coalesce(who, 0) and state <> 'withdrawn'
$function$;

CREATE OR REPLACE FUNCTION public.hardware_test_leave()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.hardware_test_withdrawn()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.has_real_name(who bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select exists (select from account_user u join account_real_name n on n.user_id = u.id or (n.kind = 'org' and n.dept_id = u.dept_id)
    where u.id = who and (n.state in ('1', '2', '6', '7') or (n.state = '3' and n.before = '7' and n.valid_until >= current_date)))
$function$;

CREATE OR REPLACE PROCEDURE public.inherit_by_path(IN t regclass)
 LANGUAGE plpgsql
AS $procedure$
begin
  call own_by_path(t);
  execute format('create policy inherited on %s for select to mooring_app using (dept_path = any((select scope_ancestors())::text[]))', t);
end $procedure$;

CREATE OR REPLACE FUNCTION public.inventory_arrival_added()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update inventory_receipt r set waiting = r.waiting + x.waiting, accepted = r.accepted + x.accepted, refused = r.refused + x.refused, gone = r.gone + x.gone
  from (
    select receipt_id, count(*) filter (where state = '1') as waiting, count(*) filter (where inventory_is_out(state)) as accepted,
      count(*) filter (where state = '5') as refused, count(*) filter (where state in ('9', '15')) as gone
    from added where not superseded group by receipt_id
  ) x where r.id = x.receipt_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.inventory_arrival_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.inventory_in_transfer(device bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select exists (select from inventory_transfer t where t.device_id = device and t.state = '1') $function$;

CREATE OR REPLACE FUNCTION public.inventory_is_out(state text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$ select state in ('3', '7', '11', '13', '17') $function$;

CREATE OR REPLACE FUNCTION public.inventory_is_sold(device bigint, path text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select exists (select from inventory_sale s where s.device_id = device and s.state = 'sold' and starts_with(path, s.dept_path)) $function$;

CREATE OR REPLACE FUNCTION public.inventory_mirror()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into inventory_arrival as a (transfer_id, receipt_id, device_id, sn, product_name, state, reason, note, superseded, changed_at, dept_path)
  select new.id, r.id, new.device_id, new.sn, new.product_name, new.state, new.reason, new.note, new.superseded, new.changed_at, r.dept_path
  from inventory_receipt r where r.dispatch_id = new.dispatch_id
  on conflict (transfer_id) do update set state = excluded.state, reason = excluded.reason, note = excluded.note,
    superseded = excluded.superseded, changed_at = excluded.changed_at;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.inventory_renumber()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from inventory_dispatch where dept_id = new.dept_id and lower(number) = lower(new.number)) then
    new.number := left(new.number, 20) || '-' || new.id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.inventory_stock_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if new.status = '5' and new.deleted_at is null and new.product_id is not null then
    insert into inventory_stock as s (id, sn, product_id, dept_id, dept_path) values (new.id, new.sn, new.product_id, new.dept_id, new.dept_path)
    on conflict (id) do update set sn = excluded.sn, product_id = excluded.product_id, dept_id = excluded.dept_id, dept_path = excluded.dept_path
      where (s.sn, s.product_id, s.dept_id, s.dept_path) is distinct from (excluded.sn, excluded.product_id, excluded.dept_id, excluded.dept_path);
  else
    delete from inventory_stock where id = new.id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.inventory_sync_rename()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from inventory_sync_source where dept_id = new.dept_id and lower(name) = lower(new.name)) then
    new.name := left(new.name, 80) || '-' || new.id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.inventory_transfer_added()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.inventory_transfer_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.is_dept_open(path text)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select not exists (select from org_dept a where a.dept_path = any(path_and_above(path)) and a.state <> 'enabled')
$function$;

CREATE OR REPLACE FUNCTION public.keep_days(parent text, days integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  day timestamptz;
  part text;
  old record;
begin
  if parent not in ('device_health', 'device_track', 'device_log_line') then
    raise exception 'no history by days: %', parent;
  end if;
  perform pg_advisory_xact_lock(7105);
  for ahead in 0..2 loop
    day := date_trunc('day', now(), 'UTC') + make_interval(days => ahead);
    part := parent || to_char(day at time zone 'UTC', '_YYYYMMDD');
    if to_regclass(part) is null then
      begin
        execute format('create table %I partition of %I for values from (%L) to (%L)', part, parent, day, day + interval '24 hours');
        execute format('call own_by_path(%L)', part);
      exception when check_violation then
        -- Rows of that day stand in the default partition already; the next day gets one of its own.
        null;
      end;
    end if;
  end loop;
  for old in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent::regclass and c.relname ~ '_[0-9]{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < (now() at time zone 'UTC')::date - days
  loop
    execute format('drop table %I', old.relname);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_partitions(parent text, keep_months integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  month timestamptz;
  part text;
  old record;
begin
  if parent not in ('state_change', 'device_event') then
    raise exception 'no partitioned history: %', parent;
  end if;
  perform pg_advisory_xact_lock(7104);
  for ahead in 0..2 loop
    month := date_trunc('month', now(), 'UTC') + make_interval(months => ahead);
    part := parent || to_char(month at time zone 'UTC', '_YYYYMM');
    if to_regclass(part) is null then
      begin
        execute format('create table %I partition of %I for values from (%L) to (%L)', part, parent, month, month + interval '1 month');
        execute format('call own_by_path(%L)', part);
      exception when check_violation then
        -- Rows of that month stand in the default partition already; the next month gets one of its own.
        null;
      end;
    end if;
  end loop;
  for old in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent::regclass and c.relname ~ '_[0-9]{6}$'
      and to_date(right(c.relname, 6), 'YYYYMM') < date_trunc('month', now()) - make_interval(months => keep_months)
  loop
    execute format('drop table %I', old.relname);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.managed_depts(who bigint)
 RETURNS TABLE(id bigint, path text)
 LANGUAGE sql
 STABLE
AS $function$
  select o.id, o.dept_path from (
    select u.dept_id from account_user u where u.id = who
    union select m.dept_id from access_managed_dept m where m.user_id = who
    union select t.dept_id from account_user u join org_trust t on t.trustee_id = u.dept_id
      where u.id = who and u.user_type = '1' and t.side = 'trustee' and t.state = 'active' and t.until > now()
  ) mine join org_dept o on o.id = mine.dept_id where is_dept_open(o.dept_path)
$function$;

CREATE OR REPLACE FUNCTION public.merchant_forget_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update device set merchant_id = null, shop_id = null where merchant_id = old.id and deleted_at is not null;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION public.merchant_renumber()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from merchant_merchant where dept_id = new.dept_id and lower(number) = lower(new.number)) then
    new.number := left(new.number, 12) || '-' || new.id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.merchant_stands_elsewhere()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_table_name = 'merchant_shop' then
    perform device_place_inherit(array(select id from device where shop_id = new.id));
  else
    perform device_place_inherit(array(select id from device where merchant_id = new.id));
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.metres_between(lat1 double precision, lon1 double precision, lat2 double precision, lon2 double precision)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((6371000 * 2))::double precision * asin(LEAST((1)::double precision, sqrt((power(sin((radians((lat2 - lat1)) / (2)::double precision)), (2)::double precision) + ((cos(radians(lat1)) * cos(radians(lat2))) * power(sin((radians((lon2 - lon1)) / (2)::double precision)), (2)::double precision)))))));

CREATE OR REPLACE FUNCTION public.open_work_of(person bigint)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('work:' || person, 0));
  return (select count(*) from work where user_id = person and state in ('waiting', 'running'));
end $function$;

CREATE OR REPLACE FUNCTION public.order_add_up()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  new.total := order_total(new.parts, new.labour);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.order_follow_partner()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update order_order o set partner_id = t.id, partner_path = t.dept_path
  from org_dept t where o.partner_id = new.id and t.id = coalesce(new.merged_into, new.id) and (o.partner_id, o.partner_path) <> (t.id, t.dept_path);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.order_hold_partner()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform from org_dept where id = new.id for update;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.order_is_side(side text, owner text, partner text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select case side
    when 'customer' then owner >= scope_path() and owner < scope_path() || '~' and (owner = partner or partner <> scope_path())
    else partner >= scope_path() and partner < scope_path() || '~' and (owner = partner or owner <> scope_path()) end
$function$;

CREATE OR REPLACE FUNCTION public.order_next_number(dept bigint, of_year integer)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  next integer;
  given text;
begin
  loop
    insert into order_counter as c (dept_id, year, last) values (dept, of_year, 1)
    on conflict (dept_id, year) do update set last = c.last + 1 returning last into next;
    given := 'AS' || of_year || '-' || lpad(next::text, greatest(5, length(next::text)), '0');
    exit when not exists (select from order_order o where o.dept_id = dept and o.number = given);
  end loop;
  return given;
end $function$;

CREATE OR REPLACE FUNCTION public.order_renumber()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from order_order where dept_id = new.dept_id and number = new.number) then
    new.number := left(new.number, 20) || '-' || new.id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.order_take_partner()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  partner record;
begin
  loop
    select o.id, o.dept_path, o.merged_into into partner from org_dept o where o.id = new.partner_id for key share;
    exit when not found or partner.merged_into is null;
    new.partner_id := partner.merged_into;
  end loop;
  new.partner_path := coalesce(partner.dept_path, new.partner_path);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.order_total(parts jsonb, labour text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select ((
    select coalesce(sum((p ->> 'quantity')::numeric * coalesce(nullif(p ->> 'price', ''), '0')::numeric), 0)
    from jsonb_array_elements(parts) p
  ) * 100 + coalesce(nullif(labour, ''), '0')::numeric * 100)::bigint
$function$;

CREATE OR REPLACE PROCEDURE public.own_by_path(IN t regclass)
 LANGUAGE plpgsql
AS $procedure$
begin
  execute format('alter table %s enable row level security', t);
  execute format('create policy owned on %s to mooring_app using (dept_path >= scope_path() and dept_path < scope_path() || ''~'') with check (dept_path >= scope_path() and dept_path < scope_path() || ''~'')', t);
  execute format('create policy everything on %s to mooring_system using (true) with check (true)', t);
end $procedure$;

CREATE OR REPLACE FUNCTION public.paramfile_device_stands()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.paramfile_fields_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform paramfile_look_again(new.id, 'all', null, null);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.paramfile_given_reported()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update paramfile_given set wanted = wanted where device_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.paramfile_given_wanted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  has text;
begin
  select settings ->> ('androidParam.' || new.template_id) into has from device where id = new.device_id;
  new.behind := has is not null and has is distinct from new.wanted;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.paramfile_level_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op <> 'INSERT' then
    perform paramfile_look_again(old.template_id, old.level, old.dept_path, old.place_id);
  end if;
  if tg_op = 'INSERT' or tg_op = 'UPDATE' and new.place_id <> old.place_id then
    perform paramfile_look_again(new.template_id, new.level, new.dept_path, new.place_id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.paramfile_level_merged()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from paramfile_level where id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.paramfile_level_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update paramfile_level set dept_id = new.dept_id, dept_path = new.dept_path where device_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.paramfile_look_again(template bigint, of_level text, of_path text, of_place bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if of_level = 'device' then
    update paramfile_given set stale = true where template_id = template and device_id = of_place;
    if not found then return; end if;
  else
    insert into paramfile_stale (template_id, level, path, place_id) values (template, of_level, of_path, of_place);
  end if;
  perform paramfile_look_soon();
end $function$;

CREATE OR REPLACE FUNCTION public.paramfile_look_soon()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select enqueue_job('paramfile:drift', '{"payload":{}}'::json, null::timestamptz, 'paramfile:drift', null::int, 10);
$function$;

CREATE OR REPLACE FUNCTION public.paramfile_secret_left()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from paramfile_secret s where s.id = old.param_secret_id and not exists (select from rollout_task t where t.param_secret_id = s.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.paramfile_template_saved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into paramfile_template_version (template_id, no, fields, created_by, dept_path)
  values (new.id, new.revision, new.fields, coalesce(nullif(new.changed_by, ''), new.created_by), new.dept_path);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.path_and_above(path text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(array_agg(array_to_string(parts[1:n], '.') || '.'), '{}')
  from (select string_to_array(rtrim(path, '.'), '.') as parts) p, generate_series(1, cardinality(parts)) n
$function$;

CREATE OR REPLACE FUNCTION public.paths_above(path text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array(select left(path, i) from generate_series(1, length(path)) i where substr(path, i, 1) = '.')
$function$;

CREATE OR REPLACE FUNCTION public.people_behind(who bigint, since timestamp with time zone, until timestamp with time zone DEFAULT 'infinity'::timestamp with time zone)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.presence_of(devices bigint[])
 RETURNS SETOF device_presence
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 20
BEGIN ATOMIC
 SELECT p.*::device_presence AS p
    FROM device_presence p
   WHERE (p.device_id = ANY (presence_of.devices));
END;

CREATE OR REPLACE FUNCTION public.product_firm_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' or new.firm_id is distinct from old.firm_id then
    if new.firm_id is not null then
      new.firm := (select name from product_firm where id = new.firm_id);
      return new;
    elsif tg_op = 'UPDATE' then
      new.firm := '';
      return new;
    end if;
  end if;
  if tg_op = 'INSERT' or new.firm <> old.firm then
    new.firm_id := case when btrim(new.firm) = '' then null else product_firm_named(btrim(new.firm)) end;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.product_firm_named(wanted text)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  found bigint;
  base text := left(coalesce(nullif(trim(both '-' from regexp_replace(wanted, '[^A-Za-z0-9]+', '-', 'g')), ''), 'firm'), 24);
  made text := base;
begin
  perform pg_advisory_xact_lock(hashtext('product_firm'));
  select id into found from product_firm where lower(name) = lower(wanted) order by id limit 1;
  if found is not null then return found; end if;
  for n in 2..100000 loop
    exit when not exists (select from product_firm where lower(code) = lower(made));
    made := base || '-' || n;
  end loop;
  insert into product_firm (code, name) values (made, wanted) returning id into found;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION public.product_line_of(path text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE((NULLIF(split_part(path, '.'::text, 2), ''::text))::bigint, (1)::bigint);

CREATE OR REPLACE FUNCTION public.queued_syncs()
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return query select key from graphile_worker._private_jobs where key ~ '^sync:[0-9]+$' and (attempts < max_attempts or locked_at is not null);
end $function$;

CREATE OR REPLACE FUNCTION public.queued_work()
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return query select substr(key, 6)::bigint from graphile_worker._private_jobs
    where key ~ '^work:[0-9]+$' and (attempts < max_attempts or locked_at is not null);
end $function$;

CREATE OR REPLACE FUNCTION public.reported_number(said text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when said ~ '[1-9]' then said end
$function$;

CREATE OR REPLACE FUNCTION public.review_managed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    perform grant_given('managed', new.user_id, new.dept_id, new.granted_by, case when new.granted_by is null then 'system' else 'member' end, new.granted_at, null);
  else
    perform grant_gone('managed', old.user_id, old.dept_id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.review_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update access_grant_review set dept_path = new.dept_path where user_id = new.id and dept_path <> new.dept_path;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.review_role()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    perform grant_given('role', new.user_id, new.role_id, new.granted_by, new.granted_way, new.granted_at, null);
  else
    perform grant_gone('role', old.user_id, old.role_id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.review_token()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    perform grant_given('token', new.user_id, new.id, new.user_id, 'own', new.created_at, new.dept_path);
  elsif tg_op = 'DELETE' then
    perform grant_gone('token', old.user_id, old.id);
  elsif new.revoked_at is not null then
    perform grant_gone('token', new.user_id, new.id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.review_trust()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    if new.side = 'giver' and new.state = 'active' then
      perform grant_given('trust', null, new.id, null, 'trust', new.created_at, new.dept_path);
    end if;
  elsif tg_op = 'DELETE' then
    perform grant_gone('trust', null, old.id);
  elsif new.state <> 'active' then
    perform grant_gone('trust', null, new.id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.revision_next()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.revision := old.revision + 1;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.rollout_groups(scope jsonb, delivery jsonb)
 RETURNS bigint[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select array_agg(distinct g::bigint) from (
    select jsonb_array_elements_text(case when jsonb_typeof(scope -> 'groupIds') = 'array' then scope -> 'groupIds' else '[]' end) as g
    union all
    select jsonb_array_elements_text(case when jsonb_typeof(r -> 'groupIds') = 'array' then r -> 'groupIds' else '[]' end)
    from jsonb_array_elements(case when jsonb_typeof(delivery -> 'rings') = 'array' then delivery -> 'rings' else '[]' end) r
  ) x
$function$;

CREATE OR REPLACE FUNCTION public.rollout_has_owners(task bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select exists (
    select from rollout_tally y join rollout_task t on t.id = y.task_id join org_dept o on o.dept_path = y.dept_path
    where y.task_id = task and y.ring <= t.open_ring and o.kind = 'organisation' and y.state not in ('9', '10')
    group by y.dept_path having sum(y.n) > 0)
$function$;

CREATE OR REPLACE FUNCTION public.rollout_tally_note()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
    ) c where grown <> 0 and sign(n) = sign(grown) group by 1, 2, 4;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.rollout_task_gone()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from rollout_result where task_id in (select id from gone);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.rollout_wanted_again()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into rollout_look (device_id) select device_id from rollout_wanted where again_task_id = old.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.rollout_wanted_busy()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.rollout_wanted_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into rollout_look (device_id) values (old.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.scope_ancestors()
 RETURNS text[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (COALESCE(NULLIF(current_setting('mooring.ancestors'::text, true), ''::text), '{}'::text))::text[];

CREATE OR REPLACE FUNCTION public.scope_path()
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN COALESCE(NULLIF(current_setting('mooring.scope'::text, true), ''::text), '!'::text);

CREATE OR REPLACE FUNCTION public.settings_domain_places()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from rollout_place where domain_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.shop_forget_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update device set shop_id = null where shop_id = old.id and deleted_at is not null;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION public.signing_export_end()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from signing_export where key_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.signing_job_bytes(keeps_before boolean, size bigint, kept_until timestamp with time zone, result_size bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select case when keeps_before then size else 0 end + case when kept_until is not null then coalesce(result_size, 0) else 0 end $function$;

CREATE OR REPLACE FUNCTION public.signing_job_final()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  loose constant text[] := '{kept_until,author_id,decided_by_id,profile_id,dept_id,dept_path}';
begin
  if (to_jsonb(new) - loose) is distinct from (to_jsonb(old) - loose)
    or new.kept_until is not null and new.kept_until is distinct from old.kept_until
    or new.author_id is not null and new.author_id is distinct from old.author_id
    or new.decided_by_id is not null and new.decided_by_id is distinct from old.decided_by_id
    or new.profile_id is not null and new.profile_id is distinct from old.profile_id then
    raise exception 'the record of signature % is final', old.id using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.signing_profile_rename()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from signing_profile where dept_id = new.dept_id and lower(name) = lower(new.name) and id <> new.id) then
    new.name := left(new.name, 50) || '-' || new.id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.signing_store_rename()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from signing_store where dept_id = new.dept_id and lower(name) = lower(new.name) and id <> new.id) then
    new.name := left(new.name, 50) || '-' || new.id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.stats_activated_note()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into stats_change values (new.dept_path, new.product_id, 'activated', '', date_trunc('hour', new.activated_at, 'UTC'), 1);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.stats_app_note()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into stats_change
    select a.dept_path, d.product_id, 'app', stats_app_of(a.package_name, a.version_code, a.version_name), null::timestamptz, count(*)
    from added a join device d on d.id = a.device_id where not a.system group by 1, 2, 4;
  elsif tg_op = 'DELETE' then
    insert into stats_change
    select a.dept_path, d.product_id, 'app', stats_app_of(a.package_name, a.version_code, a.version_name), null::timestamptz, -count(*)
    from gone a join device d on d.id = a.device_id where not a.system group by 1, 2, 4;
  else
    insert into stats_change
    select c.dept_path, d.product_id, 'app', c.detail, null::timestamptz, sum(c.n) from (
      select device_id, dept_path, stats_app_of(package_name, version_code, version_name) as detail, 1 as n from added where not system
      union all
      select device_id, dept_path, stats_app_of(package_name, version_code, version_name), -1 from gone where not system
    ) c join device d on d.id = c.device_id group by 1, 2, 4 having sum(c.n) <> 0;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.stats_app_of(package_name text, version_code bigint, version_name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select package_name || chr(31) || coalesce(version_code::text, '') || chr(31) || version_name
$function$;

CREATE OR REPLACE FUNCTION public.stats_attention_note()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into stats_change select dept_path, product_id, kind, '', null, count(*) from added group by 1, 2, 3;
  elsif tg_op = 'DELETE' then
    insert into stats_change select dept_path, product_id, kind, '', null, -count(*) from gone group by 1, 2, 3;
  else
    insert into stats_change select dept_path, product_id, kind, '', null, sum(n) from (
      select dept_path, product_id, kind, 1 as n from added union all select dept_path, product_id, kind, -1 from gone
    ) d group by 1, 2, 3 having sum(n) <> 0;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.stats_parts_note()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into stats_change
  select path, product, measure, detail, null::timestamptz, sum(n) from (
    select old.dept_path as path, old.product_id as product, p.measure, p.detail, -1 as n from stats_parts_of(old.modules, old.patch) p where old.deleted_at is null
    union all
    select new.dept_path, new.product_id, p.measure, p.detail, 1 from stats_parts_of(new.modules, new.patch) p where new.deleted_at is null
  ) d where path is not null group by 1, 2, 3, 4 having sum(n) <> 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.stats_parts_of(modules jsonb, patch text)
 RETURNS TABLE(measure text, detail text)
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select 'patch', patch where patch <> ''
  union all
  select 'module', m.key || chr(31) || m.value from jsonb_each_text(modules) m where m.value <> ''
$function$;

CREATE OR REPLACE FUNCTION public.stats_result_note()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  -- Rarely: what isn't, costs the many results nothing.
  is_again boolean := exists (select from gone where state in ('3', '4', '5', '6', '7'));
begin
  if not is_again and not exists (select from added where state in ('3', '4', '5', '6', '7')) then return null; end if;
  with moved as (
    select a.dept_path, a.device_id, a.task_id, a.state, a.reason, coalesce(a.ended_at, a.changed_at) as ended_at, 1 as n
    from added a join gone g on g.id = a.id where a.state in ('3', '4', '5', '6', '7') and a.state <> g.state
    union all
    select g.dept_path, g.device_id, g.task_id, g.state, g.reason, coalesce(g.ended_at, g.changed_at), -1
    from gone g join added a on a.id = g.id where is_again and g.state in ('3', '4', '5', '6', '7') and a.state <> g.state
  ), ended as (
    select m.dept_path, coalesce(d.product_id, t.product_id, 0) as product_id, date_trunc('hour', m.ended_at, 'UTC') as at, m.state in ('3', '6') as good, m.task_id,
      case when m.state in ('3', '6') then '' when m.state = '5' then 'timeout' else coalesce(m.reason, 'unknown') end as reason, sum(m.n) as n
    from moved m join rollout_task t on t.id = m.task_id left join device d on d.id = m.device_id group by 1, 2, 3, 4, 5, 6 having sum(m.n) <> 0
  )
  insert into stats_change
  select dept_path, product_id, case when good then 'succeeded' else 'failed' end, reason, at, sum(n) from ended group by 1, 2, 3, 4, 5
  union all select dept_path, product_id, case when good then 'taskSucceeded' else 'taskFailed' end, task_id::text, at, sum(n) from ended group by 1, 2, 3, 4, 5;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.webhook_audit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from settings_webhook where enabled and receiver_id is null and events && array['audit.*', 'audit.done', 'audit.refused']) then return null; end if;
  insert into settings_webhook_delivery (webhook_id, event_id, event, body, dept_path)
  select w.id, 'evt_' || replace(gen_random_uuid()::text, '-', ''), e.event,
    jsonb_build_object('type', e.event, 'timestamp', to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'data', jsonb_build_object('id', a.id, 'requestId', a.request_id, 'actorId', a.actor_id, 'actor', a.actor_name, 'call', a.call, 'target', a.target,
        'result', a.result, 'ip', a.ip, 'platform', a.platform, 'dept', a.dept_path,
        'count', case when a.request_id = 'refused' then coalesce((a.after->>'count')::bigint, 1) else 1 end, 'device', case when a.request_id = 'refused' then a.after->>'device' end))::text,
    w.dept_path
  from added a cross join lateral (select 'audit.' || case when a.result = 'done' then 'done' else 'refused' end as event) e
  join settings_webhook w on w.enabled and w.receiver_id is null and a.dept_path >= w.dept_path and a.dept_path < w.dept_path || '~' and w.events && array['audit.*', e.event]
  for key share of w skip locked;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.webhook_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from settings_webhook where enabled and receiver_id is null) then return null; end if;
  insert into settings_webhook_delivery (webhook_id, event_id, event, body, dept_path)
  select w.id, 'evt_' || replace(gen_random_uuid()::text, '-', ''), c.life || '.' || c.event,
    (jsonb_build_object('type', c.life || '.' || c.event, 'timestamp', to_char(c.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'data', jsonb_build_object('life', c.life, 'event', c.event, 'id', c.row_id, 'from', c.from_state, 'to', c.to_state, 'dept', c.heard_at)
        || case when s.id is null then '{}' else
          jsonb_build_object('appId', s.app_id, 'appName', s.app_name, 'packageName', s.package_name, 'ownerName', s.owner_name, 'deptId', s.dept_id,
            'deptName', s.dept_name, 'validUntil', s.valid_until, 'blacklist', s.blacklist) end))::text,
    w.dept_path
  from (
    select life, event, row_id, from_state, to_state, at, dept_path as heard_at, null as other from changed
    union all
    select c.life, c.event, c.row_id, c.from_state, c.to_state, c.at, s.owner_path, c.dept_path
    from changed c join app_subscription s on s.id = c.row_id where c.life = 'appSubscription'
  ) c left join app_subscription s on c.life = 'appSubscription' and s.id = c.row_id
  join settings_webhook w on w.enabled and w.receiver_id is null and c.heard_at >= w.dept_path and c.heard_at < w.dept_path || '~'
    and w.events && array['*', c.life || '.*', c.life || '.' || c.event]
    -- Whoever is above both hears it once.
    and (c.other is null or not starts_with(c.other, w.dept_path))
  where c.life not in ('webhook')
  for key share of w skip locked;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.webhook_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.url := '';
  new.secret_sealed := '';
  new.events := '{}';
  new.enabled := false;
  new.receiver_id := null;
  new.app_id := null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.webhook_owner_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_table_name = 'app_app' then update settings_webhook set deleted_at = now() where app_id = old.id;
  else update settings_webhook set deleted_at = now() where receiver_id = old.id;
  end if;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION public.withheld_from(who bigint)
 RETURNS text[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select coalesce((select array(select jsonb_array_elements_text(value->'withheld')) from settings_value
    where type = 'unauthenticated' and jsonb_array_length(value->'withheld') > 0 and not has_real_name(who)), '{}')
$function$;

-- Tables

create table access_grant_review (
  id bigint generated always as identity,
  kind text not null,
  user_id bigint,
  subject_id bigint not null,
  state text default 'current'::text not null,
  granted_by bigint,
  way text default 'earlier'::text not null,
  granted_at timestamp with time zone,
  counted_from timestamp with time zone default now() not null,
  decided_at timestamp with time zone,
  decided_by bigint,
  reminded_at timestamp with time zone,
  dept_path text collate "C" not null,
  constraint access_grant_review_pkey PRIMARY KEY (id),
  constraint access_grant_review_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE,
  constraint access_grant_review_kind_check CHECK ((kind = ANY (ARRAY['role'::text, 'managed'::text, 'token'::text, 'trust'::text]))),
  constraint access_grant_review_state_check CHECK ((state = ANY (ARRAY['current'::text, 'due'::text, 'overdue'::text, 'withdrawn'::text])))
);
alter table access_grant_review enable row level security;

create table access_managed_dept (
  user_id bigint not null,
  dept_id bigint not null,
  granted_by bigint,
  granted_at timestamp with time zone default now(),
  constraint access_managed_dept_pkey PRIMARY KEY (user_id, dept_id),
  constraint access_managed_dept_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id) ON DELETE CASCADE,
  constraint access_managed_dept_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE
);

create table access_role (
  id bigint generated always as identity,
  code text,
  name text not null,
  type text not null,
  category text default '0'::text not null,
  platforms text[] not null,
  menus text[] not null,
  approves_as text,
  seeded boolean default false not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  remark text default ''::text not null,
  revision integer default 1 not null,
  constraint access_role_code_key UNIQUE (code),
  constraint access_role_pkey PRIMARY KEY (id),
  constraint access_role_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint access_role_category_check CHECK ((category = ANY (ARRAY['0'::text, '1'::text, '2'::text]))),
  constraint access_role_type_check CHECK ((type = ANY (ARRAY['1'::text, '2'::text])))
);
alter table access_role enable row level security;

create table access_user_role (
  user_id bigint not null,
  role_id bigint not null,
  granted_by bigint,
  granted_way text,
  granted_at timestamp with time zone default now(),
  constraint access_user_role_pkey PRIMARY KEY (user_id, role_id),
  constraint access_user_role_role_id_fkey FOREIGN KEY (role_id) REFERENCES access_role(id) ON DELETE CASCADE,
  constraint access_user_role_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE
);

create table account_api_token (
  id bigint generated always as identity,
  name text not null,
  token_hash bytea not null,
  hint text not null,
  user_id bigint not null,
  dept_path text collate "C" not null,
  platform text not null,
  scopes text[] not null,
  addresses text[] default '{}'::text[] not null,
  per_minute integer not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  last_ip text,
  minute_at timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  minute_used integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  platforms text[],
  only_dept_id bigint,
  constraint account_api_token_token_hash_key UNIQUE (token_hash),
  constraint account_api_token_pkey PRIMARY KEY (id),
  constraint account_api_token_only_dept_id_fkey FOREIGN KEY (only_dept_id) REFERENCES org_dept(id),
  constraint account_api_token_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE,
  constraint account_api_token_platform_check CHECK ((platform = ANY (ARRAY['centre'::text, 'manager'::text])))
) with (fillfactor=70);
alter table account_api_token enable row level security;

create table account_given (
  user_id bigint not null,
  given_by bigint not null,
  what text not null,
  at timestamp with time zone default now() not null,
  constraint account_given_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE,
  constraint account_given_what_check CHECK ((what = ANY (ARRAY['account'::text, 'password'::text, 'factor'::text, 'contact'::text, 'role'::text])))
);

create table account_identity (
  id bigint generated always as identity,
  user_id bigint not null,
  issuer text not null,
  subject text not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  constraint account_identity_issuer_subject_key UNIQUE (issuer, subject),
  constraint account_identity_pkey PRIMARY KEY (id),
  constraint account_identity_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE
);

create table account_invite (
  id bigint generated always as identity,
  code_hash bytea not null,
  email text not null,
  user_type text not null,
  role_ids bigint[] not null,
  state text default 'open'::text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  invited_by bigint not null,
  invited_by_name text not null,
  used_by bigint,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint account_invite_code_hash_key UNIQUE (code_hash),
  constraint account_invite_pkey PRIMARY KEY (id),
  constraint account_invite_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint account_invite_state_check CHECK ((state = ANY (ARRAY['open'::text, 'used'::text, 'withdrawn'::text, 'expired'::text]))),
  constraint account_invite_user_type_check CHECK ((user_type = ANY (ARRAY['1'::text, '2'::text])))
);
alter table account_invite enable row level security;

create table account_passkey (
  id bigint generated always as identity,
  user_id bigint not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint default 0 not null,
  transports text[] default '{}'::text[] not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  used_at timestamp with time zone,
  constraint account_passkey_credential_id_key UNIQUE (credential_id),
  constraint account_passkey_pkey PRIMARY KEY (id),
  constraint account_passkey_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE
);

create table account_password_history (
  id bigint generated always as identity,
  user_id bigint not null,
  hash text not null,
  at timestamp with time zone default now() not null,
  constraint account_password_history_pkey PRIMARY KEY (id),
  constraint account_password_history_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE
);

create table account_real_name (
  id bigint generated always as identity,
  user_id bigint not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  state text default '0'::text not null,
  before text,
  kind text,
  name text,
  document_kind text,
  number_sealed bytea,
  number_hint text,
  legal_person text,
  valid_until date,
  asked_at timestamp with time zone,
  checked_at timestamp with time zone,
  constraint account_real_name_user_id_key UNIQUE (user_id),
  constraint account_real_name_pkey PRIMARY KEY (id),
  constraint account_real_name_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint account_real_name_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE,
  constraint account_real_name_kind_check CHECK ((kind = ANY (ARRAY['person'::text, 'org'::text]))),
  constraint account_real_name_state_check CHECK ((state = ANY (ARRAY['0'::text, '1'::text, '2'::text, '3'::text, '4'::text, '5'::text, '6'::text, '7'::text])))
);

create table account_real_name_picture (
  id bigint generated always as identity,
  user_id bigint not null,
  request_id bigint,
  which text,
  sha256 text not null,
  created_at timestamp with time zone default now() not null,
  constraint account_real_name_picture_pkey PRIMARY KEY (id),
  constraint account_real_name_picture_request_id_fkey FOREIGN KEY (request_id) REFERENCES account_real_name_request(id) ON DELETE CASCADE,
  constraint account_real_name_picture_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE,
  constraint account_real_name_picture_which_check CHECK ((which = ANY (ARRAY['front'::text, 'back'::text, 'licence'::text])))
);

create table account_real_name_request (
  id bigint generated always as identity,
  user_id bigint not null,
  kind text not null,
  outcome text default 'waiting'::text not null,
  name text not null,
  document_kind text not null,
  number_sealed bytea not null,
  number_hint text not null,
  legal_person text,
  valid_until date not null,
  reasons jsonb default '{}'::jsonb not null,
  decided_by_name text,
  decided_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint account_real_name_request_pkey PRIMARY KEY (id),
  constraint account_real_name_request_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE,
  constraint account_real_name_request_kind_check CHECK ((kind = ANY (ARRAY['person'::text, 'org'::text]))),
  constraint account_real_name_request_outcome_check CHECK ((outcome = ANY (ARRAY['waiting'::text, 'approved'::text, 'refused'::text, 'timedOut'::text])))
);

create table account_recovery_code (
  user_id bigint not null,
  hash bytea not null,
  used_at timestamp with time zone,
  constraint account_recovery_code_pkey PRIMARY KEY (user_id, hash),
  constraint account_recovery_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE
);

create table account_totp (
  user_id bigint not null,
  secret_sealed bytea not null,
  bound_at timestamp with time zone,
  last_step bigint default 0 not null,
  created_at timestamp with time zone default now() not null,
  constraint account_totp_pkey PRIMARY KEY (user_id),
  constraint account_totp_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE
);

create table account_user (
  id bigint generated always as identity,
  account text not null,
  name text not null,
  email text,
  category text default '0'::text not null,
  user_type text default '2'::text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  state text default '0'::text not null,
  password_hash text,
  password_at timestamp with time zone,
  password_initial boolean default false not null,
  failed_logins integer default 0 not null,
  locked_until timestamp with time zone,
  language text,
  time_zone text,
  created_at timestamp with time zone default now() not null,
  last_login_at timestamp with time zone,
  mobile text,
  country text,
  picture text,
  password_weak boolean default false not null,
  lock_reason text,
  mfa_on boolean default true not null,
  cancelled_at timestamp with time zone,
  revision integer default 1 not null,
  constraint account_user_pkey PRIMARY KEY (id),
  constraint account_user_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint account_user_category_check CHECK ((category = ANY (ARRAY['0'::text, '1'::text]))),
  constraint account_user_state_check CHECK ((state = ANY (ARRAY['0'::text, '1'::text, 'joining'::text, 'refused'::text, 'cancelled'::text]))),
  constraint account_user_user_type_check CHECK ((user_type = ANY (ARRAY['1'::text, '2'::text])))
);
alter table account_user enable row level security;

create table alert_alarm (
  id bigint generated always as identity,
  subject text collate "C" not null,
  label text not null,
  state text default 'open'::text not null,
  priority text not null,
  kind text not null,
  about jsonb default '{}'::jsonb not null,
  rule_id bigint not null,
  rule_name text not null,
  device_id bigint,
  product_id bigint,
  figure real,
  threshold real,
  clear_minutes integer not null,
  count integer default 1 not null,
  level integer default 0 not null,
  opened_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  ended_since timestamp with time zone,
  tell_at timestamp with time zone,
  escalate_at timestamp with time zone,
  acknowledged_by text default ''::text not null,
  acknowledged_at timestamp with time zone,
  closed_by text default ''::text not null,
  closed_at timestamp with time zone,
  note text default ''::text not null,
  quiet boolean default false not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  reason text default ''::text not null,
  told boolean default false not null,
  constraint alert_alarm_pkey PRIMARY KEY (id),
  constraint alert_alarm_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint alert_alarm_state_check CHECK ((state = ANY (ARRAY['open'::text, 'acknowledged'::text, 'closed'::text])))
);
alter table alert_alarm enable row level security;

create table alert_held (
  id bigint generated always as identity,
  rule_id bigint not null,
  user_id bigint,
  email text,
  n integer not null,
  due_at timestamp with time zone not null,
  dept_path text collate "C" not null,
  alarm_ids bigint[] default '{}'::bigint[] not null,
  constraint alert_held_pkey PRIMARY KEY (id),
  constraint alert_held_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES alert_rule(id) ON DELETE CASCADE
);
alter table alert_held enable row level security;

create table alert_lost (
  minute timestamp with time zone not null,
  n integer not null,
  dept_path text collate "C" not null
);
alter table alert_lost enable row level security;

create table alert_mail_hour (
  dept_path text collate "C" not null,
  hour timestamp with time zone not null,
  n integer not null,
  channel text default 'mail'::text not null,
  constraint alert_mail_hour_pkey PRIMARY KEY (dept_path, hour, channel),
  constraint alert_mail_hour_channel_check CHECK ((channel = ANY (ARRAY['mail'::text, 'webhook'::text])))
);
alter table alert_mail_hour enable row level security;

create table alert_mute (
  device_id bigint not null,
  until timestamp with time zone not null,
  by_path text collate "C" not null,
  dept_path text collate "C" not null,
  constraint alert_mute_pkey PRIMARY KEY (device_id, by_path),
  constraint alert_mute_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE
);
alter table alert_mute enable row level security;

create table alert_pending (
  rule_id bigint not null,
  device_id bigint not null,
  since timestamp with time zone not null,
  dept_path text collate "C" not null,
  constraint alert_pending_pkey PRIMARY KEY (device_id, rule_id),
  constraint alert_pending_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE,
  constraint alert_pending_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES alert_rule(id) ON DELETE CASCADE
);
alter table alert_pending enable row level security;

create table alert_receiver (
  id bigint generated always as identity,
  name text not null,
  user_ids bigint[] default '{}'::bigint[] not null,
  emails text[] default '{}'::text[] not null,
  remark text default ''::text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  webhook_url text default ''::text not null,
  constraint alert_receiver_pkey PRIMARY KEY (id),
  constraint alert_receiver_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id)
);
alter table alert_receiver enable row level security;

create table alert_rule (
  id bigint generated always as identity,
  name text not null,
  kind text not null,
  params jsonb default '{}'::jsonb not null,
  scope text default 'all'::text not null,
  dept_ids bigint[] default '{}'::bigint[] not null,
  group_ids bigint[] default '{}'::bigint[] not null,
  product_ids bigint[] default '{}'::bigint[] not null,
  priority text default '2'::text not null,
  for_minutes integer default 5 not null,
  clear_minutes integer default 5 not null,
  receiver_ids bigint[] default '{}'::bigint[] not null,
  channels text[] default '{}'::text[] not null,
  tell_end boolean default false not null,
  repeat_hours integer,
  escalate_minutes integer,
  escalate_ids bigint[] default '{}'::bigint[] not null,
  quiet_from text default ''::text not null,
  quiet_to text default ''::text not null,
  quiet_through boolean default true not null,
  enabled boolean default true not null,
  muted_until timestamp with time zone,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  constraint alert_rule_pkey PRIMARY KEY (id),
  constraint alert_rule_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint alert_rule_priority_check CHECK ((priority = ANY (ARRAY['1'::text, '2'::text, '3'::text]))),
  constraint alert_rule_scope_check CHECK ((scope = ANY (ARRAY['all'::text, 'depts'::text, 'groups'::text, 'products'::text])))
);
alter table alert_rule enable row level security;

create table alert_signal (
  id bigint generated always as identity,
  kind text not null,
  row_id bigint not null,
  at timestamp with time zone not null,
  data jsonb not null,
  dept_path text collate "C" not null,
  constraint alert_signal_pkey PRIMARY KEY (id)
);
alter table alert_signal enable row level security;

create table alert_tally (
  day date not null,
  rule_id bigint,
  product_id bigint,
  priority text not null,
  n bigint not null,
  dept_path text collate "C" not null
);
alter table alert_tally enable row level security;

create table alert_walk (
  one boolean default true not null,
  after_id bigint default 0 not null,
  constraint alert_walk_pkey PRIMARY KEY (one),
  constraint alert_walk_one_check CHECK (one)
);
alter table alert_walk enable row level security;

create table app_app (
  id bigint generated always as identity,
  package_name text collate "C" not null,
  name text not null,
  icon_id bigint,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  twin boolean default false not null,
  created_by_id bigint,
  created_by text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  subscription text default 'free'::text not null,
  constraint app_app_pkey PRIMARY KEY (id),
  constraint app_app_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint app_app_icon_id_fkey FOREIGN KEY (icon_id) REFERENCES file_file(id),
  constraint app_app_subscription_check CHECK ((subscription = ANY (ARRAY['free'::text, 'asked'::text])))
);
alter table app_app enable row level security;

create table app_developer (
  id bigint generated always as identity,
  contact_name text not null,
  email text not null,
  phone text default ''::text not null,
  website text default ''::text not null,
  about text default ''::text not null,
  state text default 'applied'::text not null,
  reason text default ''::text not null,
  decided_by text default ''::text not null,
  applied_by_id bigint,
  applied_by text default ''::text not null,
  applied_at timestamp with time zone default now() not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  revision integer default 1 not null,
  constraint app_developer_pkey PRIMARY KEY (id),
  constraint app_developer_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint app_developer_state_check CHECK ((state = ANY (ARRAY['applied'::text, 'accepted'::text, 'refused'::text, 'suspended'::text])))
);
alter table app_developer enable row level security;

create table app_sdk (
  id bigint generated always as identity,
  name text not null,
  version text not null,
  product_id bigint not null,
  lowest_firmware text default ''::text not null,
  file_id bigint not null,
  file_name text not null,
  size bigint not null,
  sha256 text not null,
  note text default ''::text not null,
  publish_state text default '0'::text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_by text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  constraint app_sdk_pkey PRIMARY KEY (id),
  constraint app_sdk_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint app_sdk_file_id_fkey FOREIGN KEY (file_id) REFERENCES file_file(id),
  constraint app_sdk_product_id_fkey FOREIGN KEY (product_id) REFERENCES product_product(id),
  constraint app_sdk_publish_state_check CHECK ((publish_state = ANY (ARRAY['0'::text, '1'::text])))
);
alter table app_sdk enable row level security;

create table app_subscription (
  id bigint generated always as identity,
  app_id bigint not null,
  app_name text not null,
  package_name text collate "C" not null,
  owner_name text not null,
  owner_path text collate "C" not null,
  state text default 'asked'::text not null,
  blacklist text default '0'::text not null,
  valid_until date,
  version_id bigint,
  note text default ''::text not null,
  reason text default ''::text not null,
  app_key text collate "C" not null,
  secret text,
  old_secret text,
  old_secret_until timestamp with time zone,
  dept_id bigint not null,
  dept_name text not null,
  dept_path text collate "C" not null,
  created_by_id bigint,
  created_by text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  edited_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  warned_days integer,
  older_secrets jsonb default '[]'::jsonb not null,
  term_asked_at timestamp with time zone,
  constraint app_subscription_app_key_key UNIQUE (app_key),
  constraint app_subscription_pkey PRIMARY KEY (id),
  constraint app_subscription_app_id_fkey FOREIGN KEY (app_id) REFERENCES app_app(id) ON DELETE CASCADE,
  constraint app_subscription_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint app_subscription_version_id_fkey FOREIGN KEY (version_id) REFERENCES app_version(id),
  constraint app_subscription_blacklist_check CHECK ((blacklist = ANY (ARRAY['0'::text, '1'::text]))),
  constraint app_subscription_state_check CHECK ((state = ANY (ARRAY['asked'::text, 'active'::text, 'refused'::text, 'ended'::text])))
);
alter table app_subscription enable row level security;

create table app_version (
  id bigint generated always as identity,
  app_id bigint not null,
  package_name text collate "C" not null,
  version_code bigint not null,
  version_name text not null,
  file_id bigint not null,
  file_name text not null,
  size bigint not null,
  sha256 text not null,
  md5 text not null,
  icon_id bigint,
  certificate_sha256 text not null,
  signer jsonb,
  lineage text[] default '{}'::text[] not null,
  schemes text[] default '{}'::text[] not null,
  valid_from integer not null,
  min_sdk integer not null,
  target_sdk integer not null,
  abis text[] default '{}'::text[] not null,
  permissions text[] default '{}'::text[] not null,
  features text[] default '{}'::text[] not null,
  labels jsonb default '{}'::jsonb not null,
  debuggable boolean default false not null,
  test_only boolean default false not null,
  public_test_key boolean default false not null,
  channel text default 'release'::text not null,
  review_state text default '0'::text not null,
  publish_state text default '0'::text not null,
  scope text default '0'::text not null,
  listing jsonb default '{}'::jsonb not null,
  screenshots bigint[] default '{}'::bigint[] not null,
  content_hash text default ''::text not null,
  comment text default ''::text not null,
  market_id bigint,
  decided_by_id bigint,
  decided_by text default ''::text not null,
  decided_at timestamp with time zone,
  withheld boolean default false not null,
  edited_by_id bigint,
  submitted_by_id bigint,
  submitted_by text default ''::text not null,
  submitted_at timestamp with time zone,
  listed_at timestamp with time zone,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_by_id bigint,
  created_by text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  edited_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  deleted_at timestamp with time zone,
  certificates bytea[],
  audit_result text generated always as (
CASE
    WHEN (review_state = '1'::text) THEN '0'::text
    WHEN (review_state = ANY (ARRAY['2'::text, '4'::text])) THEN '1'::text
    WHEN ((review_state = '3'::text) OR ((review_state = '0'::text) AND (content_hash <> ''::text))) THEN '2'::text
    ELSE NULL::text
END) stored,
  editor_ids bigint[] default '{}'::bigint[] not null,
  publish_round integer default 0 not null,
  publish_at timestamp with time zone,
  publish_by bigint,
  publish_no integer default 0 not null,
  publish_held timestamp with time zone,
  max_sdk integer,
  shared_user text default ''::text not null,
  told_at timestamp with time zone,
  constraint app_version_pkey PRIMARY KEY (id),
  constraint app_version_app_id_fkey FOREIGN KEY (app_id) REFERENCES app_app(id) ON DELETE CASCADE,
  constraint app_version_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint app_version_file_id_fkey FOREIGN KEY (file_id) REFERENCES file_file(id),
  constraint app_version_icon_id_fkey FOREIGN KEY (icon_id) REFERENCES file_file(id),
  constraint app_version_market_id_fkey FOREIGN KEY (market_id) REFERENCES org_dept(id),
  constraint app_version_channel_check CHECK ((channel = ANY (ARRAY['release'::text, 'test'::text]))),
  constraint app_version_publish_state_check CHECK ((publish_state = ANY (ARRAY['0'::text, '1'::text, '2'::text, '3'::text]))),
  constraint app_version_review_state_check CHECK ((review_state = ANY (ARRAY['0'::text, '1'::text, '2'::text, '3'::text, '4'::text]))),
  constraint app_version_scope_check CHECK ((scope = ANY (ARRAY['0'::text, '1'::text, '2'::text])))
);
alter table app_version enable row level security;

create table app_version_dept (
  id bigint generated always as identity,
  version_id bigint not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  constraint app_version_dept_pkey PRIMARY KEY (id),
  constraint app_version_dept_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint app_version_dept_version_id_fkey FOREIGN KEY (version_id) REFERENCES app_version(id) ON DELETE CASCADE
);
alter table app_version_dept enable row level security;

create table app_version_file (
  version_id bigint not null,
  file_id bigint not null,
  dept_path text collate "C" not null,
  constraint app_version_file_pkey PRIMARY KEY (version_id, file_id),
  constraint app_version_file_file_id_fkey FOREIGN KEY (file_id) REFERENCES file_file(id),
  constraint app_version_file_version_id_fkey FOREIGN KEY (version_id) REFERENCES app_version(id) ON DELETE CASCADE
);
alter table app_version_file enable row level security;

create table app_version_product (
  version_id bigint not null,
  product_id bigint not null,
  dept_path text collate "C" not null,
  constraint app_version_product_pkey PRIMARY KEY (version_id, product_id),
  constraint app_version_product_product_id_fkey FOREIGN KEY (product_id) REFERENCES product_product(id),
  constraint app_version_product_version_id_fkey FOREIGN KEY (version_id) REFERENCES app_version(id) ON DELETE CASCADE
);
alter table app_version_product enable row level security;

create table app_version_sn (
  version_id bigint not null,
  sn text collate "C" not null,
  dept_path text collate "C" not null,
  constraint app_version_sn_pkey PRIMARY KEY (version_id, sn),
  constraint app_version_sn_version_id_fkey FOREIGN KEY (version_id) REFERENCES app_version(id) ON DELETE CASCADE
);
alter table app_version_sn enable row level security;

create table approval_absence (
  id bigint generated always as identity,
  user_id bigint not null,
  delegate_id bigint not null,
  from_at timestamp with time zone not null,
  until_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  constraint approval_absence_pkey PRIMARY KEY (id),
  constraint approval_absence_delegate_id_fkey FOREIGN KEY (delegate_id) REFERENCES account_user(id) ON DELETE CASCADE,
  constraint approval_absence_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE,
  constraint approval_absence_check CHECK ((delegate_id <> user_id)),
  constraint approval_absence_check1 CHECK ((until_at > from_at))
);
alter table approval_absence enable row level security;

create table approval_application (
  id bigint generated always as identity,
  audit_id bigint not null,
  stage integer not null,
  content_hash text not null,
  content jsonb not null,
  applied_by bigint not null,
  applied_at timestamp with time zone default now() not null,
  approved_at timestamp with time zone,
  dept_path text collate "C" not null,
  constraint approval_application_pkey PRIMARY KEY (id),
  constraint approval_application_audit_id_fkey FOREIGN KEY (audit_id) REFERENCES approval_audit(id) ON DELETE CASCADE,
  constraint approval_application_stage_check CHECK (((stage >= 1) AND (stage <= 3)))
);
alter table approval_application enable row level security;

create table approval_audit (
  id bigint generated always as identity,
  task_type text not null,
  task_class text not null,
  task_id bigint not null,
  name text not null,
  step text default '10'::text not null,
  result text default '0'::text not null,
  step_at timestamp with time zone default now() not null,
  asked_at timestamp with time zone,
  content_hash text not null,
  author_id bigint not null,
  author_name text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  due_at timestamp with time zone,
  when_late text,
  late_at timestamp with time zone,
  warn_at timestamp with time zone,
  constraint approval_audit_pkey PRIMARY KEY (id),
  constraint approval_audit_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint approval_audit_result_check CHECK ((result = ANY (ARRAY['0'::text, '1'::text, '2'::text]))),
  constraint approval_audit_step_check CHECK ((step = ANY (ARRAY['10'::text, '11'::text, '12'::text, '13'::text, '14'::text, '15'::text, '16'::text, '20'::text, '21'::text, '22'::text, '23'::text, '24'::text, '25'::text, '26'::text, '30'::text, '31'::text, '32'::text, '33'::text, '34'::text, '36'::text, '51'::text]))),
  constraint approval_audit_task_class_check CHECK ((task_class = ANY (ARRAY['0'::text, '1'::text]))),
  constraint approval_audit_task_type_check CHECK ((task_type = ANY (ARRAY['1'::text, '2'::text, '3'::text, '4'::text])))
);
alter table approval_audit enable row level security;

create table approval_config (
  id bigint generated always as identity,
  task_type text not null,
  enabled boolean default true not null,
  revision integer default 1 not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  hours1 integer,
  hours2 integer,
  hours3 integer,
  when_late text default 'remind'::text not null,
  constraint approval_config_pkey PRIMARY KEY (id),
  constraint approval_config_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint approval_config_hours1_check CHECK (((hours1 >= 1) AND (hours1 <= 8760))),
  constraint approval_config_hours2_check CHECK (((hours2 >= 1) AND (hours2 <= 8760))),
  constraint approval_config_hours3_check CHECK (((hours3 >= 1) AND (hours3 <= 8760))),
  constraint approval_config_task_type_check CHECK ((task_type = ANY (ARRAY['1'::text, '2'::text, '3'::text]))),
  constraint approval_config_when_late_check CHECK ((when_late = ANY (ARRAY['remind'::text, 'escalate'::text, 'expire'::text])))
);
alter table approval_config enable row level security;

create table approval_file (
  record_id bigint not null,
  file_id bigint not null,
  task_type text not null,
  name text not null,
  size bigint not null,
  dept_path text collate "C" not null,
  constraint approval_file_pkey PRIMARY KEY (record_id, file_id),
  constraint approval_file_file_id_fkey FOREIGN KEY (file_id) REFERENCES file_file(id),
  constraint approval_file_record_id_fkey FOREIGN KEY (record_id) REFERENCES approval_record(id) ON DELETE CASCADE
);
alter table approval_file enable row level security;

create table approval_record (
  id bigint generated always as identity,
  audit_id bigint not null,
  event text not null,
  step text not null,
  to_step text not null,
  comment text default ''::text not null,
  way text default 'console'::text not null,
  content_hash text,
  actor_id bigint not null,
  actor_name text not null,
  actor_path text collate "C" not null,
  at timestamp with time zone default now() not null,
  dept_path text collate "C" not null,
  on_behalf_of text[] default '{}'::text[] not null,
  due_at timestamp with time zone,
  constraint approval_record_pkey PRIMARY KEY (id),
  constraint approval_record_audit_id_fkey FOREIGN KEY (audit_id) REFERENCES approval_audit(id) ON DELETE CASCADE,
  constraint approval_record_way_check CHECK ((way = ANY (ARRAY['console'::text, 'email'::text])))
);
alter table approval_record enable row level security;

create table approval_sign (
  id bigint generated always as identity,
  sign_hash bytea not null,
  audit_id bigint not null,
  user_id bigint not null,
  step text not null,
  content_hash text not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  dept_path text collate "C" not null,
  constraint approval_sign_sign_hash_key UNIQUE (sign_hash),
  constraint approval_sign_pkey PRIMARY KEY (id),
  constraint approval_sign_audit_id_fkey FOREIGN KEY (audit_id) REFERENCES approval_audit(id) ON DELETE CASCADE
);
alter table approval_sign enable row level security;

create table audit_entry (
  id bigint generated always as identity,
  at timestamp with time zone default now() not null,
  request_id text not null,
  actor_id bigint,
  actor_name text not null,
  dept_path text collate "C" not null,
  platform text,
  ip text not null,
  call text not null,
  target text,
  input jsonb,
  before jsonb,
  after jsonb,
  result text not null,
  seal_no bigint,
  hash bytea,
  actor_dept text,
  seal bytea,
  constraint audit_entry_seal_no_key UNIQUE (seal_no),
  constraint audit_entry_pkey PRIMARY KEY (id)
);
alter table audit_entry enable row level security;

create table audit_forward (
  one boolean default true not null,
  seal_no bigint not null,
  sent_at timestamp with time zone,
  failing_since timestamp with time zone,
  error text,
  taken_until timestamp with time zone default '-infinity'::timestamp with time zone not null,
  constraint audit_forward_pkey PRIMARY KEY (one),
  constraint audit_forward_one_check CHECK (one)
);

create table audit_head (
  number integer not null,
  made_at timestamp with time zone not null,
  seal_no bigint not null,
  signed text not null,
  signature bytea not null,
  constraint audit_head_pkey PRIMARY KEY (number)
);

create table audit_refusal (
  minute timestamp with time zone not null,
  account text not null,
  ip text not null,
  call text not null,
  result text not null,
  actor_id bigint default 0 not null,
  platform text,
  n integer not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  device text default ''::text not null,
  constraint audit_refusal_pkey PRIMARY KEY (minute, account, ip, call, result, actor_id)
);

create table audit_visit (
  id bigint generated always as identity,
  user_id bigint not null,
  path text not null,
  platform text not null,
  dept_path text collate "C" not null,
  at timestamp with time zone default now() not null,
  constraint audit_visit_pkey PRIMARY KEY (id)
);
alter table audit_visit enable row level security;

create unlogged table auth_attempt (
  key text not null,
  failures integer not null,
  until timestamp with time zone not null,
  blocked_until timestamp with time zone,
  constraint auth_attempt_pkey PRIMARY KEY (key)
);

create unlogged table auth_captcha (
  id text not null,
  answer_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint auth_captcha_pkey PRIMARY KEY (id)
);

create unlogged table auth_code (
  purpose text not null,
  recipient text not null,
  code_hash bytea not null,
  tries integer default 0 not null,
  expires_at timestamp with time zone not null,
  constraint auth_code_pkey PRIMARY KEY (purpose, recipient)
);

create table auth_policy (
  line bigint not null,
  kind text not null,
  value jsonb not null,
  updated_at timestamp with time zone default now() not null,
  constraint auth_policy_pkey PRIMARY KEY (line, kind),
  constraint auth_policy_kind_check CHECK ((kind = ANY (ARRAY['login'::text, 'password'::text])))
);

create table auth_registration (
  id bigint generated always as identity,
  kind text not null,
  user_id bigint not null,
  decider_id bigint not null,
  lang text not null,
  created_at timestamp with time zone default now() not null,
  told_at timestamp with time zone default now() not null,
  constraint auth_registration_user_id_key UNIQUE (user_id),
  constraint auth_registration_pkey PRIMARY KEY (id),
  constraint auth_registration_decider_id_fkey FOREIGN KEY (decider_id) REFERENCES org_dept(id),
  constraint auth_registration_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE,
  constraint auth_registration_kind_check CHECK ((kind = ANY (ARRAY['org'::text, 'child'::text, 'join'::text, 'one'::text])))
);

create table auth_seal_key (
  id text not null,
  public_key text not null,
  private_key_sealed bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint auth_seal_key_pkey PRIMARY KEY (id)
);

create unlogged table auth_seal_nonce (
  nonce text not null,
  expires_at timestamp with time zone not null,
  constraint auth_seal_nonce_pkey PRIMARY KEY (nonce)
);

create table auth_session (
  id bigint generated always as identity,
  token_hash bytea not null,
  user_id bigint not null,
  platform text not null,
  ip text not null,
  user_agent text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  seen_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  proved_at timestamp with time zone,
  family bigint,
  constraint auth_session_token_hash_key UNIQUE (token_hash),
  constraint auth_session_pkey PRIMARY KEY (id),
  constraint auth_session_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE,
  constraint auth_session_platform_check CHECK ((platform = ANY (ARRAY['centre'::text, 'manager'::text])))
);

create unlogged table auth_ticket (
  hash bytea not null,
  kind text not null,
  user_id bigint,
  tries integer default 0 not null,
  data jsonb default '{}'::jsonb not null,
  expires_at timestamp with time zone not null,
  constraint auth_ticket_pkey PRIMARY KEY (hash)
);

create table customer_hour (
  customer_id bigint not null,
  hour timestamp with time zone not null,
  sent bigint default 0 not null,
  refused bigint default 0 not null,
  dropped bigint default 0 not null,
  dept_path text collate "C" not null,
  constraint customer_hour_pkey PRIMARY KEY (customer_id, hour),
  constraint customer_hour_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer_iot(id) ON DELETE CASCADE
);
alter table customer_hour enable row level security;

create table customer_iot (
  id bigint generated always as identity,
  name text not null,
  kind text not null,
  state text default 'draft'::text not null,
  endpoint text not null,
  region text default ''::text not null,
  control_endpoint text default ''::text not null,
  policy text default ''::text not null,
  topic text default ''::text not null,
  sign_in text not null,
  user_name text default ''::text not null,
  certificate text default ''::text not null,
  ca text default ''::text not null,
  secret_sealed bytea not null,
  properties text default 'all'::text not null,
  property_names text[] default '{}'::text[] not null,
  events text default 'all'::text not null,
  event_names text[] default '{}'::text[] not null,
  event_level text default 'info'::text not null,
  presence boolean default true not null,
  product_ids bigint[] default '{}'::bigint[] not null,
  backlog_days integer default 7 not null,
  backlog_rows integer default 100000 not null,
  reason text,
  failing_since timestamp with time zone,
  delivered_at timestamp with time zone,
  dropped bigint default 0 not null,
  lease_by text,
  lease_until timestamp with time zone,
  next_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  tries integer default 0 not null,
  refusals integer default 0 not null,
  after_sn text collate "C" default ''::text not null,
  control_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  constraint customer_iot_pkey PRIMARY KEY (id),
  constraint customer_iot_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint customer_iot_event_level_check CHECK ((event_level = ANY (ARRAY['info'::text, 'warning'::text, 'alarm'::text]))),
  constraint customer_iot_events_check CHECK ((events = ANY (ARRAY['none'::text, 'all'::text, 'some'::text]))),
  constraint customer_iot_kind_check CHECK ((kind = ANY (ARRAY['aws'::text, 'mqtt'::text, 'https'::text]))),
  constraint customer_iot_properties_check CHECK ((properties = ANY (ARRAY['none'::text, 'all'::text, 'some'::text]))),
  constraint customer_iot_sign_in_check CHECK ((sign_in = ANY (ARRAY['token'::text, 'hmac'::text, 'password'::text, 'certificate'::text, 'accessKey'::text]))),
  constraint customer_iot_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'active'::text, 'failing'::text, 'paused'::text])))
);
alter table customer_iot enable row level security;

create table customer_message (
  id bigint generated always as identity,
  customer_id bigint not null,
  device_id bigint,
  sn text collate "C" not null,
  product text not null,
  kind text not null,
  name text default ''::text not null,
  data jsonb not null,
  seq bigint not null,
  message_id uuid default gen_random_uuid() not null,
  fate text default 'waiting'::text not null,
  reason text,
  tries integer default 0 not null,
  breaks integer default 0 not null,
  next_at timestamp with time zone,
  again integer default 0 not null,
  at timestamp with time zone not null,
  ended_at timestamp with time zone,
  dept_path text collate "C" not null,
  constraint customer_message_pkey PRIMARY KEY (id),
  constraint customer_message_fate_check CHECK ((fate = ANY (ARRAY['waiting'::text, 'sent'::text, 'refused'::text, 'dropped'::text]))),
  constraint customer_message_kind_check CHECK ((kind = ANY (ARRAY['event'::text, 'property'::text, 'presence'::text])))
);
alter table customer_message enable row level security;

create table customer_registration (
  id bigint generated always as identity,
  customer_id bigint not null,
  device_id bigint,
  sn text collate "C" not null,
  product_id bigint,
  state text default 'waiting'::text not null,
  reason text,
  thing_name text not null,
  thing_made boolean default false not null,
  certificates jsonb default '[]'::jsonb not null,
  fingerprint text,
  policy text default ''::text not null,
  next_at timestamp with time zone,
  lease_until timestamp with time zone,
  tries integer default 0 not null,
  look_at timestamp with time zone,
  registered_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  dept_path text collate "C" not null,
  constraint customer_registration_pkey PRIMARY KEY (id),
  constraint customer_registration_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer_iot(id) ON DELETE CASCADE,
  constraint customer_registration_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE SET NULL,
  constraint customer_registration_product_id_fkey FOREIGN KEY (product_id) REFERENCES product_product(id) ON DELETE SET NULL,
  constraint customer_registration_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'registered'::text, 'failed'::text, 'revoking'::text, 'stuck'::text, 'revoked'::text])))
);
alter table customer_registration enable row level security;

create table customer_sequence (
  customer_id bigint not null,
  device_id bigint not null,
  n bigint not null,
  constraint customer_sequence_pkey PRIMARY KEY (customer_id, device_id),
  constraint customer_sequence_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE
);
alter table customer_sequence enable row level security;

create table desktop_advert (
  id bigint generated always as identity,
  name text not null,
  product_id bigint,
  place text not null,
  items jsonb not null,
  from_day date,
  to_day date,
  hours jsonb,
  remark text default ''::text not null,
  state text default 'draft'::text not null,
  version text default ''::text not null,
  size bigint default 0 not null,
  archive_sha256 text,
  published_at timestamp with time zone,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_by text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  line_id bigint not null,
  number integer,
  published_by text default ''::text not null,
  constraint desktop_advert_pkey PRIMARY KEY (id),
  constraint desktop_advert_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint desktop_advert_product_id_fkey FOREIGN KEY (product_id) REFERENCES product_product(id),
  constraint desktop_advert_place_check CHECK ((place = ANY (ARRAY['idle'::text, 'boot'::text, 'main'::text]))),
  constraint desktop_advert_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'published'::text, 'withdrawn'::text])))
);
alter table desktop_advert enable row level security;

create table desktop_customization (
  id bigint generated always as identity,
  name text not null,
  product_id bigint,
  boot_picture_id bigint,
  wallpaper_id bigint,
  status_bar text default 'keep'::text not null,
  navigation_keys text default 'keep'::text not null,
  brightness integer,
  volume integer,
  screen_seconds integer,
  locale text,
  time_zone text,
  remark text default ''::text not null,
  state text default 'draft'::text not null,
  version text default ''::text not null,
  size bigint default 0 not null,
  archive_sha256 text,
  published_at timestamp with time zone,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_by text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  line_id bigint not null,
  number integer,
  published_by text default ''::text not null,
  constraint desktop_customization_pkey PRIMARY KEY (id),
  constraint desktop_customization_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint desktop_customization_product_id_fkey FOREIGN KEY (product_id) REFERENCES product_product(id),
  constraint desktop_customization_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'published'::text, 'withdrawn'::text])))
);
alter table desktop_customization enable row level security;

create table desktop_desktop (
  id bigint generated always as identity,
  name text not null,
  product_id bigint,
  layout jsonb not null,
  remark text default ''::text not null,
  state text default 'draft'::text not null,
  version text default ''::text not null,
  size bigint default 0 not null,
  archive_sha256 text,
  published_at timestamp with time zone,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_by text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  line_id bigint not null,
  number integer,
  published_by text default ''::text not null,
  constraint desktop_desktop_pkey PRIMARY KEY (id),
  constraint desktop_desktop_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint desktop_desktop_product_id_fkey FOREIGN KEY (product_id) REFERENCES product_product(id),
  constraint desktop_desktop_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'published'::text, 'withdrawn'::text])))
);
alter table desktop_desktop enable row level security;

create table desktop_file (
  id bigint generated always as identity,
  advert_id bigint,
  customization_id bigint,
  desktop_id bigint,
  part text generated always as (
CASE
    WHEN (advert_id IS NOT NULL) THEN 'advert'::text
    WHEN (customization_id IS NOT NULL) THEN 'customization'::text
    ELSE 'desktop'::text
END) stored not null,
  file_id bigint not null,
  dept_path text collate "C" not null,
  constraint desktop_file_pkey PRIMARY KEY (id),
  constraint desktop_file_advert_id_fkey FOREIGN KEY (advert_id) REFERENCES desktop_advert(id) ON DELETE CASCADE,
  constraint desktop_file_customization_id_fkey FOREIGN KEY (customization_id) REFERENCES desktop_customization(id) ON DELETE CASCADE,
  constraint desktop_file_desktop_id_fkey FOREIGN KEY (desktop_id) REFERENCES desktop_desktop(id) ON DELETE CASCADE,
  constraint desktop_file_file_id_fkey FOREIGN KEY (file_id) REFERENCES file_file(id),
  constraint desktop_file_check CHECK ((num_nonnulls(advert_id, customization_id, desktop_id) = 1))
);
alter table desktop_file enable row level security;

create table desktop_line (
  part text not null,
  line_id bigint not null,
  given integer not null,
  constraint desktop_line_pkey PRIMARY KEY (part, line_id)
);

create table device (
  id bigint generated always as identity,
  sn text collate "C" not null,
  name text not null,
  status text not null,
  status_before text,
  lock_status text default '00'::text not null,
  product_id bigint not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  firmware text,
  patch text,
  model text,
  pn text,
  imei text,
  mac text,
  iccid text,
  agent text,
  time_zone text,
  modules jsonb default '{}'::jsonb not null,
  apps jsonb default '[]'::jsonb not null,
  capabilities text[] default '{}'::text[] not null,
  hello_hash text,
  tags text[] default '{}'::text[] not null,
  remark text default ''::text not null,
  notes text default ''::text not null,
  config jsonb default '{}'::jsonb not null,
  config_revision integer default 0 not null,
  config_reported integer,
  credential_gen integer default 0 not null,
  enrolled_at timestamp with time zone,
  activated_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  revision integer default 1 not null,
  settings jsonb default '{}'::jsonb not null,
  android_params jsonb default '{}'::jsonb not null,
  merchant_id bigint,
  shop_id bigint,
  test_terminal boolean default false not null,
  apps_in_all bigint,
  screen jsonb,
  constraint device_pkey PRIMARY KEY (id),
  constraint device_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint device_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant_merchant(id),
  constraint device_product_id_fkey FOREIGN KEY (product_id) REFERENCES product_product(id),
  constraint device_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES merchant_shop(id),
  constraint device_status_before_check CHECK ((status_before = ANY (ARRAY['1'::text, '2'::text, '5'::text]))),
  constraint device_status_check CHECK ((status = ANY (ARRAY['1'::text, '2'::text, '3'::text, '4'::text, '5'::text])))
) with (fillfactor=60);
alter table device enable row level security;

create table device_app (
  device_id bigint not null,
  package_name text collate "C" not null,
  name text,
  version_name text not null,
  version_code bigint,
  certificate text,
  system boolean default false not null,
  since timestamp with time zone default now() not null,
  dept_path text collate "C" not null,
  constraint device_app_pkey PRIMARY KEY (device_id, package_name),
  constraint device_app_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE
) with (fillfactor=80);
alter table device_app enable row level security;

create table device_attention (
  device_id bigint not null,
  kind text not null,
  product_id bigint not null,
  dept_path text collate "C" not null,
  since timestamp with time zone not null,
  constraint device_attention_pkey PRIMARY KEY (device_id, kind),
  constraint device_attention_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE,
  constraint device_attention_kind_check CHECK ((kind = ANY (ARRAY['silent'::text, 'battery'::text, 'storage'::text])))
);
alter table device_attention enable row level security;

create table device_attention_walk (
  one boolean default true not null,
  after_id bigint default 0 not null,
  counted_id bigint default 0 not null,
  constraint device_attention_walk_pkey PRIMARY KEY (one),
  constraint device_attention_walk_one_check CHECK (one)
);

create table device_contact (
  at timestamp with time zone default now() not null,
  device_id bigint not null,
  came boolean not null,
  product_id bigint not null,
  dept_path text collate "C" not null
);
alter table device_contact enable row level security;

create table device_credential (
  id bigint generated always as identity,
  device_id bigint not null,
  serial text not null,
  fingerprint text not null,
  key_hash text not null,
  certificate text not null,
  issued_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint device_credential_fingerprint_key UNIQUE (fingerprint),
  constraint device_credential_serial_key UNIQUE (serial),
  constraint device_credential_pkey PRIMARY KEY (id),
  constraint device_credential_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE
);
alter table device_credential enable row level security;

create table device_custody (
  id bigint generated always as identity,
  device_id bigint not null,
  event text not null,
  entry_type text,
  from_name text default ''::text not null,
  to_name text default ''::text not null,
  document text default ''::text not null,
  by_name text default ''::text not null,
  remark text default ''::text not null,
  at timestamp with time zone default now() not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  constraint device_custody_pkey PRIMARY KEY (id),
  constraint device_custody_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id)
);
alter table device_custody enable row level security;

create table device_double (
  device_id bigint not null,
  kind text not null,
  value text collate "C" not null,
  dept_path text collate "C" not null,
  constraint device_double_pkey PRIMARY KEY (device_id, kind),
  constraint device_double_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE,
  constraint device_double_kind_check CHECK ((kind = ANY (ARRAY['imei'::text, 'iccid'::text])))
);
alter table device_double enable row level security;

create table device_double_turn (
  device_id bigint not null
);

create table device_enrol_code (
  id bigint generated always as identity,
  code_hash text not null,
  hint text not null,
  sn text,
  product_id bigint,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  uses integer default 0 not null,
  max_uses integer not null,
  state text default 'open'::text not null,
  expires_at timestamp with time zone not null,
  actor_id bigint,
  actor_name text,
  created_at timestamp with time zone default now() not null,
  constraint device_enrol_code_code_hash_key UNIQUE (code_hash),
  constraint device_enrol_code_pkey PRIMARY KEY (id),
  constraint device_enrol_code_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint device_enrol_code_product_id_fkey FOREIGN KEY (product_id) REFERENCES product_product(id),
  constraint device_enrol_code_check CHECK ((uses <= max_uses)),
  constraint device_enrol_code_max_uses_check CHECK ((max_uses > 0)),
  constraint device_enrol_code_state_check CHECK ((state = ANY (ARRAY['open'::text, 'withdrawn'::text])))
);
alter table device_enrol_code enable row level security;

create table device_enrol_rule (
  id bigint generated always as identity,
  name text not null,
  sn_prefix text default ''::text not null,
  product_id bigint,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  network cidr,
  only_expected boolean not null,
  enabled boolean not null,
  accepted integer default 0 not null,
  remark text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  only_factory boolean default false not null,
  revision integer default 1 not null,
  constraint device_enrol_rule_pkey PRIMARY KEY (id),
  constraint device_enrol_rule_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint device_enrol_rule_product_id_fkey FOREIGN KEY (product_id) REFERENCES product_product(id)
);
alter table device_enrol_rule enable row level security;

create table device_event (
  id bigint generated always as identity,
  at timestamp with time zone default now() not null,
  device_id bigint not null,
  dept_path text collate "C" not null,
  name text not null,
  level text not null,
  params jsonb default '{}'::jsonb not null,
  terminal_at timestamp with time zone not null,
  constraint device_event_pkey PRIMARY KEY (id, at)
) partition by RANGE (at);
alter table device_event enable row level security;

create table device_event_default partition of device_event DEFAULT;
alter table device_event_default enable row level security;

create table device_factory (
  id bigint generated always as identity,
  name text not null,
  certificate text not null,
  fingerprint text not null,
  subject text not null,
  expires_at timestamp with time zone not null,
  sn_prefix text default ''::text not null,
  product_id bigint,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  revoked text[] default '{}'::text[] not null,
  enabled boolean not null,
  accepted integer default 0 not null,
  remark text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  constraint device_factory_pkey PRIMARY KEY (id),
  constraint device_factory_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint device_factory_product_id_fkey FOREIGN KEY (product_id) REFERENCES product_product(id)
);
alter table device_factory enable row level security;

create table device_failure (
  id bigint generated always as identity,
  device_id bigint not null,
  dept_path text collate "C" not null,
  product_id bigint not null,
  cell bigint not null,
  day date not null,
  source text not null,
  reason text not null,
  alarm_id bigint,
  constraint device_failure_pkey PRIMARY KEY (id),
  constraint device_failure_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE,
  constraint device_failure_source_check CHECK ((source = ANY (ARRAY['release'::text, 'command'::text, 'alarm'::text])))
);
alter table device_failure enable row level security;

create table device_failure_change (
  dept_path text collate "C" not null,
  product_id bigint not null,
  cell bigint not null,
  day date not null,
  source text not null,
  reason text not null,
  n bigint not null
);
alter table device_failure_change enable row level security;

create table device_failure_sum (
  dept_path text collate "C" not null,
  level smallint not null,
  cell bigint not null,
  day date not null,
  product_id bigint not null,
  source text not null,
  reason text not null,
  n bigint not null,
  constraint device_failure_sum_pkey PRIMARY KEY (dept_path, level, cell, day, product_id, source, reason)
) with (fillfactor=70);
alter table device_failure_sum enable row level security;

create table device_gone (
  serial text not null,
  sn text not null,
  gone_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint device_gone_pkey PRIMARY KEY (serial)
);
alter table device_gone enable row level security;

create table device_group (
  id bigint generated always as identity,
  name text not null,
  kind text not null,
  rule jsonb,
  remark text default ''::text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  constraint device_group_pkey PRIMARY KEY (id),
  constraint device_group_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint device_group_check CHECK (((kind = 'rule'::text) = (rule IS NOT NULL))),
  constraint device_group_kind_check CHECK ((kind = ANY (ARRAY['static'::text, 'rule'::text])))
);
alter table device_group enable row level security;

create table device_group_member (
  group_id bigint not null,
  device_id bigint not null,
  dept_path text collate "C" not null,
  constraint device_group_member_pkey PRIMARY KEY (group_id, device_id),
  constraint device_group_member_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE,
  constraint device_group_member_group_id_fkey FOREIGN KEY (group_id) REFERENCES device_group(id) ON DELETE CASCADE
);
alter table device_group_member enable row level security;

create table device_group_tally (
  group_id bigint not null,
  n bigint not null,
  dept_path text collate "C" not null,
  constraint device_group_tally_group_id_fkey FOREIGN KEY (group_id) REFERENCES device_group(id) ON DELETE CASCADE
);
alter table device_group_tally enable row level security;

create table device_health (
  device_id bigint not null,
  at timestamp with time zone not null,
  battery real,
  charging boolean,
  network text,
  signal real,
  storage_total bigint,
  storage_free bigint,
  temperature real,
  received bigint,
  sent bigint,
  dept_path text collate "C" not null,
  constraint device_health_pkey PRIMARY KEY (device_id, at)
) partition by RANGE (at);
alter table device_health enable row level security;

create table device_health_default partition of device_health DEFAULT;
alter table device_health_default enable row level security;

create table device_health_walk (
  one boolean default true not null,
  hour timestamp with time zone default '-infinity'::timestamp with time zone not null,
  after_id bigint default 0 not null,
  done boolean default true not null,
  constraint device_health_walk_pkey PRIMARY KEY (one),
  constraint device_health_walk_one_check CHECK (one)
);

create table device_log (
  device_id bigint not null,
  key text not null,
  part integer not null,
  last boolean not null,
  text text not null,
  at timestamp with time zone default now() not null,
  constraint device_log_pkey PRIMARY KEY (key, part),
  constraint device_log_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE
);
alter table device_log enable row level security;

create table device_log_hour (
  device_id bigint not null,
  hour timestamp with time zone not null,
  lines bigint not null,
  left_at timestamp with time zone,
  constraint device_log_hour_pkey PRIMARY KEY (device_id, hour),
  constraint device_log_hour_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE
);
alter table device_log_hour enable row level security;

create table device_log_line (
  id bigint generated always as identity,
  at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  device_id bigint not null,
  sn text not null,
  level text not null,
  tag text not null,
  text text not null,
  left_out bigint default 0 not null,
  dept_path text collate "C" not null,
  constraint device_log_line_pkey PRIMARY KEY (at, id),
  constraint device_log_line_level_check CHECK ((level = ANY (ARRAY['debug'::text, 'info'::text, 'warn'::text, 'error'::text])))
) partition by RANGE (at);
alter table device_log_line enable row level security;

create table device_log_line_default partition of device_log_line DEFAULT;
alter table device_log_line_default enable row level security;

create table device_log_pull (
  key text not null,
  device_id bigint not null,
  lines bigint not null,
  constraint device_log_pull_pkey PRIMARY KEY (key),
  constraint device_log_pull_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE
);
alter table device_log_pull enable row level security;

create table device_map_cell (
  dept_path text collate "C" not null,
  level smallint not null,
  cell bigint not null,
  product_id bigint not null,
  status text not null,
  n bigint not null,
  lat bigint not null,
  lon bigint not null,
  constraint device_map_cell_pkey PRIMARY KEY (dept_path, level, cell, product_id, status)
) with (fillfactor=70);
alter table device_map_cell enable row level security;

create table device_map_change (
  dept_path text collate "C" not null,
  product_id bigint not null,
  status text not null,
  cell bigint not null,
  n bigint not null,
  lat bigint not null,
  lon bigint not null
);
alter table device_map_change enable row level security;

create table device_nonce (
  nonce text not null,
  expires_at timestamp with time zone not null,
  constraint device_nonce_pkey PRIMARY KEY (nonce)
);
alter table device_nonce enable row level security;

create table device_pending (
  id bigint generated always as identity,
  sn text collate "C" not null,
  state text default 'asking'::text not null,
  key_hash text not null,
  product_code text not null,
  model text,
  ip text not null,
  tries integer default 1 not null,
  first_at timestamp with time zone default now() not null,
  last_at timestamp with time zone default now() not null,
  reason text,
  product_id bigint,
  dept_id bigint,
  dept_path text collate "C" default '1.'::text not null,
  factory text,
  home text default ''::text not null,
  rule text,
  code_of text,
  constraint device_pending_sn_key_hash_key UNIQUE (sn, key_hash),
  constraint device_pending_pkey PRIMARY KEY (id),
  constraint device_pending_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint device_pending_product_id_fkey FOREIGN KEY (product_id) REFERENCES product_product(id),
  constraint device_pending_state_check CHECK ((state = ANY (ARRAY['asking'::text, 'accepted'::text, 'refused'::text, 'enrolled'::text])))
);
alter table device_pending enable row level security;

create table device_place (
  device_id bigint not null,
  dept_path text collate "C" not null,
  product_id bigint not null,
  status text not null,
  deleted boolean not null,
  merchant_id bigint,
  shop_id bigint,
  lat double precision,
  lon double precision,
  accuracy real,
  source text,
  at timestamp with time zone,
  cell bigint generated always as (device_cell(lat, lon)) stored,
  constraint device_place_pkey PRIMARY KEY (device_id),
  constraint device_place_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE,
  constraint device_place_check CHECK ((num_nulls(lat, lon, source) = ANY (ARRAY[0, 3])))
) with (fillfactor=70);
alter table device_place enable row level security;

create table device_presence (
  device_id bigint not null,
  online boolean default false not null,
  lease_until timestamp with time zone,
  seen_at timestamp with time zone,
  connected_at timestamp with time zone,
  session text,
  battery real,
  charging boolean,
  network text,
  signal real,
  storage_total bigint,
  storage_free bigint,
  temperature real,
  uptime bigint,
  lat double precision,
  lon double precision,
  position_source text,
  counters jsonb,
  properties jsonb,
  hello_order bigint,
  accuracy real,
  positioned_at timestamp with time zone,
  kept_lat double precision,
  kept_lon double precision,
  kept_at timestamp with time zone,
  properties_at jsonb,
  constraint device_presence_pkey PRIMARY KEY (device_id),
  constraint device_presence_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE
) with (fillfactor=50);
alter table device_presence enable row level security;

create table device_request (
  digest bytea not null,
  at timestamp with time zone default now() not null,
  constraint device_request_pkey PRIMARY KEY (digest)
);
alter table device_request enable row level security;

create table device_shut (
  device_id bigint not null,
  constraint device_shut_pkey PRIMARY KEY (device_id),
  constraint device_shut_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE
);
alter table device_shut enable row level security;

create table device_tally (
  dept_path text collate "C" not null,
  product_id bigint not null,
  status text not null,
  firmware text not null,
  n bigint not null
);
alter table device_tally enable row level security;

create table device_track (
  device_id bigint not null,
  at timestamp with time zone not null,
  lat double precision not null,
  lon double precision not null,
  accuracy real,
  source text not null,
  dept_path text collate "C" not null,
  constraint device_track_pkey PRIMARY KEY (device_id, at)
) partition by RANGE (at);
alter table device_track enable row level security;

create table device_track_default partition of device_track DEFAULT;
alter table device_track_default enable row level security;

create table file_built (
  id bigint generated always as identity,
  user_id bigint not null,
  size bigint not null,
  dept_path text collate "C" not null,
  built_at timestamp with time zone not null,
  constraint file_built_pkey PRIMARY KEY (id)
);
alter table file_built enable row level security;

create table file_direct (
  id bigint generated always as identity,
  user_id bigint not null,
  size bigint not null,
  dept_path text collate "C" not null,
  begun_at timestamp with time zone not null,
  constraint file_direct_pkey PRIMARY KEY (id)
);
alter table file_direct enable row level security;

create table file_file (
  id bigint generated always as identity,
  kind text not null,
  name text not null,
  size bigint not null,
  sha256 text not null,
  md5 text not null,
  user_id bigint,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  unused_since timestamp with time zone,
  constraint file_file_pkey PRIMARY KEY (id)
);
alter table file_file enable row level security;

create table file_part (
  upload_id bigint not null,
  part_number integer not null,
  size integer not null,
  md5 text not null,
  constraint file_part_pkey PRIMARY KEY (upload_id, part_number),
  constraint file_part_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES file_upload(id) ON DELETE CASCADE
);
alter table file_part enable row level security;

create table file_quota (
  dept_id bigint not null,
  bytes bigint not null,
  by_dept bigint default 1 not null,
  given bigint,
  told integer default 0 not null,
  constraint file_quota_pkey PRIMARY KEY (dept_id),
  constraint file_quota_by_dept_fkey FOREIGN KEY (by_dept) REFERENCES org_dept(id) ON DELETE SET DEFAULT,
  constraint file_quota_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id) ON DELETE CASCADE,
  constraint file_quota_bytes_check CHECK ((bytes >= 0))
);
alter table file_quota enable row level security;

create table file_upload (
  id bigint generated always as identity,
  user_id bigint not null,
  identifier text not null,
  kind text not null,
  name text not null,
  size bigint not null,
  part_size integer not null,
  parts integer not null,
  state text default 'uploading'::text not null,
  reason text,
  file_id bigint,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  touched_at timestamp with time zone default now() not null,
  sha256 text,
  way text default 'parts'::text not null,
  received bigint,
  received_parts integer,
  constraint file_upload_pkey PRIMARY KEY (id),
  constraint file_upload_file_id_fkey FOREIGN KEY (file_id) REFERENCES file_file(id) ON DELETE SET NULL,
  constraint file_upload_state_check CHECK ((state = ANY (ARRAY['uploading'::text, 'assembling'::text, 'done'::text, 'failed'::text, 'cancelled'::text, 'refused'::text]))),
  constraint file_upload_way_check CHECK ((way = ANY (ARRAY['parts'::text, 'direct'::text])))
);
alter table file_upload enable row level security;

create table file_usage (
  dept_id bigint not null,
  kind text not null,
  files bigint not null,
  bytes bigint not null,
  constraint file_usage_pkey PRIMARY KEY (dept_id, kind)
);
alter table file_usage enable row level security;

create table file_usage_change (
  dept_id bigint not null,
  kind text not null,
  files bigint not null,
  bytes bigint not null
);
alter table file_usage_change enable row level security;

create table gateway_cut (
  id bigint generated always as identity,
  sn text not null,
  at timestamp with time zone default now() not null,
  constraint gateway_cut_pkey PRIMARY KEY (id)
);
alter table gateway_cut enable row level security;

create table gateway_key (
  id text not null,
  role text not null,
  public_key text not null,
  certificate text,
  signature text,
  private_key_sealed bytea,
  created_at timestamp with time zone default now() not null,
  retired_at timestamp with time zone,
  constraint gateway_key_pkey PRIMARY KEY (id),
  constraint gateway_key_role_check CHECK ((role = ANY (ARRAY['deviceRoot'::text, 'deviceIssuer'::text, 'releaseRoot'::text, 'release'::text])))
);
alter table gateway_key enable row level security;

create table gateway_outbox (
  id bigint generated always as identity,
  key text not null,
  device_id bigint not null,
  sn text not null,
  dept_path text collate "C" not null,
  topic text not null,
  kind text not null,
  data jsonb not null,
  state text default 'waiting'::text not null,
  attempts integer default 0 not null,
  next_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  sent_at timestamp with time zone,
  answered_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  reason text,
  message text,
  output jsonb,
  actor_id bigint,
  actor_name text,
  constraint gateway_outbox_key_key UNIQUE (key),
  constraint gateway_outbox_pkey PRIMARY KEY (id),
  constraint gateway_outbox_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'done'::text, 'failed'::text, 'expired'::text, 'withdrawn'::text]))),
  constraint gateway_outbox_topic_check CHECK ((topic = ANY (ARRAY['offer'::text, 'cancel'::text, 'command'::text, 'config'::text])))
);
alter table gateway_outbox enable row level security;

create table gateway_recent (
  device_id bigint not null,
  key text not null,
  at timestamp with time zone default now() not null,
  constraint gateway_recent_pkey PRIMARY KEY (device_id, key)
);
alter table gateway_recent enable row level security;

create table gateway_refused (
  id bigint generated always as identity,
  at timestamp with time zone default now() not null,
  sn text not null,
  kind text not null,
  reason text not null,
  bytes integer not null,
  payload text not null,
  constraint gateway_refused_pkey PRIMARY KEY (id)
);
alter table gateway_refused enable row level security;

create table geofence (
  id bigint generated always as identity,
  name text not null,
  shape text not null,
  lat double precision,
  lon double precision,
  radius integer,
  area text default ''::text not null,
  audience text default 'all'::text not null,
  group_ids bigint[] default '{}'::bigint[] not null,
  device_ids bigint[] default '{}'::bigint[] not null,
  alarm_on text default 'left'::text not null,
  out_minutes integer default 30 not null,
  margin integer default 100 not null,
  fixes integer default 3 not null,
  settle_minutes integer default 10 not null,
  priority text default '2'::text not null,
  receiver_ids bigint[] default '{}'::bigint[] not null,
  channels text[] default '{}'::text[] not null,
  tell_end boolean default false not null,
  escalate_minutes integer,
  escalate_ids bigint[] default '{}'::bigint[] not null,
  quiet_from text default ''::text not null,
  quiet_to text default ''::text not null,
  enabled boolean default true not null,
  rule_id bigint not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  repeat_hours integer,
  quiet_through boolean default true not null,
  constraint geofence_pkey PRIMARY KEY (id),
  constraint geofence_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint geofence_alarm_on_check CHECK ((alarm_on = ANY (ARRAY['left'::text, 'out'::text]))),
  constraint geofence_audience_check CHECK ((audience = ANY (ARRAY['all'::text, 'groups'::text, 'devices'::text]))),
  constraint geofence_priority_check CHECK ((priority = ANY (ARRAY['1'::text, '2'::text, '3'::text]))),
  constraint geofence_repeat_hours_check CHECK (((repeat_hours >= 1) AND (repeat_hours <= 168))),
  constraint geofence_shape_check CHECK ((shape = ANY (ARRAY['circle'::text, 'polygon'::text, 'shop'::text])))
);
alter table geofence enable row level security;

create table geofence_state (
  fence_id bigint not null,
  device_id bigint not null,
  state text not null,
  since timestamp with time zone not null,
  fixed_at timestamp with time zone not null,
  other integer default 0 not null,
  other_since timestamp with time zone,
  due_at timestamp with time zone,
  dept_path text collate "C" not null,
  constraint geofence_state_pkey PRIMARY KEY (device_id, fence_id),
  constraint geofence_state_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE,
  constraint geofence_state_fence_id_fkey FOREIGN KEY (fence_id) REFERENCES geofence(id) ON DELETE CASCADE,
  constraint geofence_state_state_check CHECK ((state = ANY (ARRAY['inside'::text, 'outside'::text, 'gone'::text])))
) with (fillfactor=80);
alter table geofence_state enable row level security;

create table geofence_tally (
  fence_id bigint not null,
  inside bigint not null,
  outside bigint not null,
  dept_path text collate "C" not null,
  constraint geofence_tally_fence_id_fkey FOREIGN KEY (fence_id) REFERENCES geofence(id) ON DELETE CASCADE
);
alter table geofence_tally enable row level security;

create table geofence_version (
  n bigint not null
);
alter table geofence_version enable row level security;

create table hardware_test (
  id bigint generated always as identity,
  key text not null,
  device_id bigint not null,
  sn text not null,
  product_id bigint not null,
  state text default 'requested'::text not null,
  parts text[] not null,
  failed_parts text[] default '{}'::text[] not null,
  reason text,
  by_id bigint,
  by_name text,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  done_at timestamp with time zone,
  ended_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint hardware_test_key_key UNIQUE (key),
  constraint hardware_test_pkey PRIMARY KEY (id),
  constraint hardware_test_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint hardware_test_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE,
  constraint hardware_test_product_id_fkey FOREIGN KEY (product_id) REFERENCES product_product(id),
  constraint hardware_test_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'running'::text, 'passed'::text, 'failed'::text, 'expired'::text, 'cancelled'::text])))
);
alter table hardware_test enable row level security;

create table hardware_test_part (
  test_id bigint not null,
  part text not null,
  outcome text not null,
  reason text,
  message text,
  figures jsonb default '{}'::jsonb not null,
  constraint hardware_test_part_pkey PRIMARY KEY (test_id, part),
  constraint hardware_test_part_test_id_fkey FOREIGN KEY (test_id) REFERENCES hardware_test(id) ON DELETE CASCADE,
  constraint hardware_test_part_outcome_check CHECK ((outcome = ANY (ARRAY['passed'::text, 'failed'::text, 'absent'::text])))
);
alter table hardware_test_part enable row level security;

create table help_article (
  id bigint generated always as identity,
  key text not null,
  category_id bigint not null,
  "position" integer default 100 not null,
  title text not null,
  title_zh text default ''::text not null,
  body text not null,
  body_zh text default ''::text not null,
  routes text[] default '{}'::text[] not null,
  files bigint[] default '{}'::bigint[] not null,
  state text default 'draft'::text not null,
  version integer default 0 not null,
  words text default ''::text not null,
  words_zh text default ''::text not null,
  helpful integer default 0 not null,
  unhelpful integer default 0 not null,
  manual boolean default false not null,
  brought text,
  edited boolean default false not null,
  newer jsonb,
  dept_path text collate "C" default '1.'::text not null,
  updated_by text default ''::text not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  words_of text default ''::text not null,
  translations jsonb default '[]'::jsonb not null,
  open boolean default false not null,
  constraint help_article_pkey PRIMARY KEY (id),
  constraint help_article_category_id_fkey FOREIGN KEY (category_id) REFERENCES help_category(id),
  constraint help_article_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'published'::text, 'revised'::text, 'withdrawn'::text])))
);
alter table help_article enable row level security;

create table help_category (
  id bigint generated always as identity,
  key text,
  name text not null,
  name_zh text default ''::text not null,
  parent_id bigint,
  "position" integer default 100 not null,
  revision integer default 1 not null,
  names jsonb default '[]'::jsonb not null,
  constraint help_category_key_key UNIQUE (key),
  constraint help_category_pkey PRIMARY KEY (id),
  constraint help_category_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES help_category(id)
);

create table help_file (
  article_id bigint not null,
  file_id bigint not null,
  constraint help_file_pkey PRIMARY KEY (article_id, file_id),
  constraint help_file_article_id_fkey FOREIGN KEY (article_id) REFERENCES help_article(id) ON DELETE CASCADE,
  constraint help_file_file_id_fkey FOREIGN KEY (file_id) REFERENCES file_file(id)
);

create table help_version (
  id bigint generated always as identity,
  article_id bigint not null,
  number integer not null,
  title text not null,
  title_zh text not null,
  body text not null,
  body_zh text not null,
  routes text[] not null,
  files bigint[] not null,
  published_by text default ''::text not null,
  published_at timestamp with time zone not null,
  translations jsonb default '[]'::jsonb not null,
  open boolean default false not null,
  constraint help_version_article_id_number_key UNIQUE (article_id, number),
  constraint help_version_pkey PRIMARY KEY (id),
  constraint help_version_article_id_fkey FOREIGN KEY (article_id) REFERENCES help_article(id) ON DELETE CASCADE
);

create table help_vote (
  article_id bigint not null,
  user_id bigint not null,
  helpful boolean not null,
  voted_at timestamp with time zone not null,
  reason text default ''::text not null,
  version integer default 0 not null,
  id bigint generated always as identity,
  constraint help_vote_pkey PRIMARY KEY (article_id, user_id),
  constraint help_vote_article_id_fkey FOREIGN KEY (article_id) REFERENCES help_article(id) ON DELETE CASCADE,
  constraint help_vote_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE
);

create table help_words (
  article_id bigint not null,
  lang text not null,
  words text not null,
  constraint help_words_pkey PRIMARY KEY (article_id, lang),
  constraint help_words_article_id_fkey FOREIGN KEY (article_id) REFERENCES help_article(id) ON DELETE CASCADE
);

create unlogged table http_rate (
  key text not null,
  full_until double precision not null,
  granted integer not null,
  constraint http_rate_pkey PRIMARY KEY (key)
);
alter table http_rate enable row level security;

create table installation_key (
  one boolean default true not null,
  wrapped bytea not null,
  made_at timestamp with time zone default now() not null,
  constraint installation_key_pkey PRIMARY KEY (one),
  constraint installation_key_one_check CHECK (one)
);

create table inventory_arrival (
  id bigint generated always as identity,
  transfer_id bigint not null,
  receipt_id bigint not null,
  device_id bigint not null,
  sn text collate "C" not null,
  product_name text default ''::text not null,
  state text not null,
  reason text,
  note text default ''::text not null,
  superseded boolean default false not null,
  changed_at timestamp with time zone not null,
  dept_path text collate "C" not null,
  constraint inventory_arrival_transfer_id_key UNIQUE (transfer_id),
  constraint inventory_arrival_pkey PRIMARY KEY (id),
  constraint inventory_arrival_receipt_id_fkey FOREIGN KEY (receipt_id) REFERENCES inventory_receipt(id) ON DELETE CASCADE
);
alter table inventory_arrival enable row level security;

create table inventory_count (
  id bigint generated always as identity,
  product_id bigint,
  product_name text default ''::text not null,
  expected integer default 0 not null,
  found integer default 0 not null,
  missing integer default 0 not null,
  unexpected integer default 0 not null,
  doubled integer default 0 not null,
  remark text default ''::text not null,
  by_name text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  constraint inventory_count_pkey PRIMARY KEY (id),
  constraint inventory_count_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id)
);
alter table inventory_count enable row level security;

create table inventory_count_line (
  id bigint generated always as identity,
  count_id bigint not null,
  sn text collate "C" not null,
  result text not null,
  times integer default 0 not null,
  device_id bigint,
  dept_path text collate "C" not null,
  constraint inventory_count_line_pkey PRIMARY KEY (id),
  constraint inventory_count_line_count_id_fkey FOREIGN KEY (count_id) REFERENCES inventory_count(id) ON DELETE CASCADE,
  constraint inventory_count_line_result_check CHECK ((result = ANY (ARRAY['found'::text, 'missing'::text, 'unexpected'::text])))
);
alter table inventory_count_line enable row level security;

create table inventory_dispatch (
  id bigint generated always as identity,
  number text not null,
  state text default '1'::text not null,
  to_id bigint not null,
  to_name text not null,
  total integer default 0 not null,
  sent integer default 0 not null,
  received integer default 0 not null,
  failed integer default 0 not null,
  back integer default 0 not null,
  remark text default ''::text not null,
  created_by text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  constraint inventory_dispatch_pkey PRIMARY KEY (id),
  constraint inventory_dispatch_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint inventory_dispatch_to_id_fkey FOREIGN KEY (to_id) REFERENCES org_dept(id),
  constraint inventory_dispatch_state_check CHECK ((state = ANY (ARRAY['1'::text, '3'::text, '5'::text, '7'::text, '8'::text, '9'::text])))
);
alter table inventory_dispatch enable row level security;

create table inventory_entry (
  id bigint generated always as identity,
  device_id bigint not null,
  sn text collate "C" not null,
  type text not null,
  document text default ''::text not null,
  by_name text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  constraint inventory_entry_pkey PRIMARY KEY (id),
  constraint inventory_entry_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint inventory_entry_type_check CHECK ((type = ANY (ARRAY['1'::text, '2'::text, '3'::text, '4'::text, '5'::text, '6'::text, '7'::text, '8'::text, '9'::text])))
);
alter table inventory_entry enable row level security;

create table inventory_receipt (
  id bigint generated always as identity,
  dispatch_id bigint not null,
  number text not null,
  from_name text not null,
  waiting integer default 0 not null,
  accepted integer default 0 not null,
  refused integer default 0 not null,
  gone integer default 0 not null,
  document text default ''::text not null,
  signed_by text default ''::text not null,
  remark text default ''::text not null,
  sent_by text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  constraint inventory_receipt_dispatch_id_key UNIQUE (dispatch_id),
  constraint inventory_receipt_pkey PRIMARY KEY (id),
  constraint inventory_receipt_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id)
);
alter table inventory_receipt enable row level security;

create table inventory_sale (
  id bigint generated always as identity,
  device_id bigint not null,
  sn text collate "C" not null,
  product_name text default ''::text not null,
  number text not null,
  state text default 'sold'::text not null,
  merchant_id bigint,
  buyer text default ''::text not null,
  currency text default '1'::text not null,
  price text default ''::text not null,
  sold_at date not null,
  warranty_until date,
  returned_at timestamp with time zone,
  remark text default ''::text not null,
  created_by text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  revision integer default 1 not null,
  constraint inventory_sale_pkey PRIMARY KEY (id),
  constraint inventory_sale_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint inventory_sale_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant_merchant(id) ON DELETE SET NULL,
  constraint inventory_sale_currency_check CHECK ((currency = ANY (ARRAY['1'::text, '2'::text]))),
  constraint inventory_sale_state_check CHECK ((state = ANY (ARRAY['sold'::text, 'returned'::text])))
);
alter table inventory_sale enable row level security;

create table inventory_signature (
  id bigint generated always as identity,
  receipt_id bigint not null,
  document text default ''::text not null,
  signed_by text not null,
  signature jsonb default '[]'::jsonb not null,
  terminals integer default 0 not null,
  at timestamp with time zone default now() not null,
  dept_path text collate "C" not null,
  constraint inventory_signature_pkey PRIMARY KEY (id),
  constraint inventory_signature_receipt_id_fkey FOREIGN KEY (receipt_id) REFERENCES inventory_receipt(id) ON DELETE CASCADE
);
alter table inventory_signature enable row level security;

create table inventory_stock (
  id bigint not null,
  sn text collate "C" not null,
  product_id bigint not null,
  since timestamp with time zone default now() not null,
  entry_type text,
  document text default ''::text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  constraint inventory_stock_pkey PRIMARY KEY (id),
  constraint inventory_stock_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint inventory_stock_id_fkey FOREIGN KEY (id) REFERENCES device(id) ON DELETE CASCADE,
  constraint inventory_stock_entry_type_check CHECK ((entry_type = ANY (ARRAY['1'::text, '2'::text, '3'::text, '4'::text, '5'::text, '6'::text, '7'::text, '8'::text, '9'::text])))
);
alter table inventory_stock enable row level security;

create table inventory_sync_conflict (
  id bigint generated always as identity,
  source_id bigint not null,
  sn text collate "C" not null,
  state text default 'open'::text not null,
  why text[] not null,
  device_id bigint,
  our_owner text,
  our_product text,
  their_owner text default ''::text not null,
  their_product text default ''::text not null,
  their_dept_id bigint,
  their_product_id bigint,
  about text not null,
  seen_run bigint not null,
  decided_by text default ''::text not null,
  decided_at timestamp with time zone,
  settled_at timestamp with time zone,
  found_at timestamp with time zone default now() not null,
  dept_path text collate "C" not null,
  constraint inventory_sync_conflict_pkey PRIMARY KEY (id),
  constraint inventory_sync_conflict_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE SET NULL,
  constraint inventory_sync_conflict_source_id_fkey FOREIGN KEY (source_id) REFERENCES inventory_sync_source(id) ON DELETE CASCADE,
  constraint inventory_sync_conflict_their_dept_id_fkey FOREIGN KEY (their_dept_id) REFERENCES org_dept(id) ON DELETE SET NULL,
  constraint inventory_sync_conflict_their_product_id_fkey FOREIGN KEY (their_product_id) REFERENCES product_product(id) ON DELETE SET NULL,
  constraint inventory_sync_conflict_state_check CHECK ((state = ANY (ARRAY['open'::text, 'ours'::text, 'theirs'::text, 'settled'::text])))
);
alter table inventory_sync_conflict enable row level security;

create table inventory_sync_run (
  id bigint generated always as identity,
  source_id bigint not null,
  state text default 'waiting'::text not null,
  reason text,
  received integer default 0 not null,
  added integer default 0 not null,
  same integer default 0 not null,
  conflicts integer default 0 not null,
  unreadable integer default 0 not null,
  by_name text default ''::text not null,
  cursor text,
  answers integer default 0 not null,
  started_at timestamp with time zone default now() not null,
  beat_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  dept_path text collate "C" not null,
  constraint inventory_sync_run_pkey PRIMARY KEY (id),
  constraint inventory_sync_run_source_id_fkey FOREIGN KEY (source_id) REFERENCES inventory_sync_source(id) ON DELETE CASCADE,
  constraint inventory_sync_run_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text])))
);
alter table inventory_sync_run enable row level security;

create table inventory_sync_source (
  id bigint generated always as identity,
  name text not null,
  url text not null,
  sign_in text default 'none'::text not null,
  token_sealed bytea,
  schedule text default 'none'::text not null,
  adds_new boolean default true not null,
  keeper_id bigint,
  next_at timestamp with time zone,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  constraint inventory_sync_source_pkey PRIMARY KEY (id),
  constraint inventory_sync_source_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint inventory_sync_source_keeper_id_fkey FOREIGN KEY (keeper_id) REFERENCES account_user(id) ON DELETE SET NULL,
  constraint inventory_sync_source_check CHECK (((sign_in = 'none'::text) OR (token_sealed IS NOT NULL))),
  constraint inventory_sync_source_schedule_check CHECK ((schedule = ANY (ARRAY['none'::text, 'hourly'::text, 'daily'::text]))),
  constraint inventory_sync_source_sign_in_check CHECK ((sign_in = ANY (ARRAY['none'::text, 'token'::text])))
);
alter table inventory_sync_source enable row level security;

create table inventory_transfer (
  id bigint generated always as identity,
  dispatch_id bigint not null,
  device_id bigint not null,
  sn text collate "C" not null,
  product_name text default ''::text not null,
  state text default '1'::text not null,
  sent_at timestamp with time zone,
  reason text,
  note text default ''::text not null,
  superseded boolean default false not null,
  changed_at timestamp with time zone default now() not null,
  dept_path text collate "C" not null,
  constraint inventory_transfer_pkey PRIMARY KEY (id),
  constraint inventory_transfer_dispatch_id_fkey FOREIGN KEY (dispatch_id) REFERENCES inventory_dispatch(id) ON DELETE CASCADE,
  constraint inventory_transfer_state_check CHECK ((state = ANY (ARRAY['1'::text, '3'::text, '5'::text, '7'::text, '9'::text, '11'::text, '13'::text, '15'::text, '17'::text])))
);
alter table inventory_transfer enable row level security;

create table job_run (
  id bigint generated always as identity,
  name text not null,
  mode text not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  outcome text default 'running'::text not null,
  error text,
  by_name text,
  worker text not null,
  dept_path text collate "C" default '1.'::text not null,
  constraint job_run_pkey PRIMARY KEY (id)
);
alter table job_run enable row level security;

create table job_schedule (
  id bigint generated always as identity,
  name text not null,
  state text default '1'::text not null,
  cron text,
  watched_from timestamp with time zone default now() not null,
  told_run bigint default 0 not null,
  told_overdue_at timestamp with time zone,
  dept_path text collate "C" default '1.'::text not null,
  revision integer default 1 not null,
  constraint job_schedule_name_key UNIQUE (name),
  constraint job_schedule_pkey PRIMARY KEY (id)
);
alter table job_schedule enable row level security;

create table language_language (
  id bigint generated always as identity,
  lang_code text not null,
  publish_status text default '0'::text not null,
  revision bigint default 0 not null,
  dept_path text collate "C" default '1.'::text not null,
  updated_at timestamp with time zone,
  constraint language_language_lang_code_key UNIQUE (lang_code),
  constraint language_language_pkey PRIMARY KEY (id),
  constraint language_language_publish_status_check CHECK ((publish_status = ANY (ARRAY['0'::text, '1'::text])))
);

create table language_text (
  lang_code text not null,
  key text not null,
  text text not null,
  updated_at timestamp with time zone default now() not null,
  updated_by bigint,
  constraint language_text_pkey PRIMARY KEY (lang_code, key),
  constraint language_text_lang_code_fkey FOREIGN KEY (lang_code) REFERENCES language_language(lang_code)
);

create table live_touch (
  id bigint generated always as identity,
  xid xid8 default pg_current_xact_id() not null,
  at timestamp with time zone default now() not null,
  call_group text not null,
  dept_path text collate "C" not null,
  constraint live_touch_pkey PRIMARY KEY (id)
);

create table mail_message (
  id bigint generated by default as identity,
  channel text not null,
  recipient text not null,
  template text not null,
  lang text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  secret boolean default false not null,
  state text not null,
  attempts integer default 0 not null,
  maybe_twice boolean default false not null,
  error text,
  user_id bigint,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  next_at timestamp with time zone default now() not null,
  taken_at timestamp with time zone,
  sent_at timestamp with time zone,
  shown_text text,
  words_sealed bytea,
  sealed_due_at timestamp with time zone,
  sealed_taken_at timestamp with time zone,
  constraint mail_message_pkey PRIMARY KEY (id),
  constraint mail_message_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text]))),
  constraint mail_message_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'kept'::text])))
);
alter table mail_message enable row level security;

create table merchant_maintenance (
  id bigint generated always as identity,
  device_id bigint not null,
  sn text collate "C" not null,
  merchant_id bigint,
  shop_id bigint,
  kind text not null,
  state text default 'open'::text not null,
  at timestamp with time zone not null,
  engineer text default ''::text not null,
  found text default ''::text not null,
  work_done text default ''::text not null,
  currency text default '1'::text not null,
  parts jsonb default '[]'::jsonb not null,
  photos bigint[] default '{}'::bigint[] not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_by text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  constraint merchant_maintenance_pkey PRIMARY KEY (id),
  constraint merchant_maintenance_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint merchant_maintenance_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant_merchant(id) ON DELETE SET NULL,
  constraint merchant_maintenance_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES merchant_shop(id) ON DELETE SET NULL,
  constraint merchant_maintenance_currency_check CHECK ((currency = ANY (ARRAY['1'::text, '2'::text]))),
  constraint merchant_maintenance_state_check CHECK ((state = ANY (ARRAY['open'::text, 'done'::text])))
);
alter table merchant_maintenance enable row level security;

create table merchant_merchant (
  id bigint generated always as identity,
  number text not null,
  name text not null,
  kind text not null,
  contact_name text default ''::text not null,
  phone text default ''::text not null,
  email text default ''::text not null,
  country text default ''::text not null,
  region text default ''::text not null,
  city text default ''::text not null,
  address text default ''::text not null,
  postcode text default ''::text not null,
  lat double precision,
  lon double precision,
  remark text default ''::text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  cell bigint generated always as (device_cell(lat, lon)) stored,
  constraint merchant_merchant_pkey PRIMARY KEY (id),
  constraint merchant_merchant_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint merchant_merchant_check CHECK ((num_nulls(lat, lon) <> 1))
);
alter table merchant_merchant enable row level security;

create table merchant_photo (
  maintenance_id bigint not null,
  file_id bigint not null,
  dept_path text collate "C" not null,
  constraint merchant_photo_pkey PRIMARY KEY (maintenance_id, file_id),
  constraint merchant_photo_file_id_fkey FOREIGN KEY (file_id) REFERENCES file_file(id),
  constraint merchant_photo_maintenance_id_fkey FOREIGN KEY (maintenance_id) REFERENCES merchant_maintenance(id) ON DELETE CASCADE
);
alter table merchant_photo enable row level security;

create table merchant_shop (
  id bigint generated always as identity,
  merchant_id bigint not null,
  number text not null,
  name text not null,
  address text default ''::text not null,
  city text default ''::text not null,
  phone text default ''::text not null,
  time_zone text default 'UTC'::text not null,
  opening_hours jsonb default '[]'::jsonb not null,
  lat double precision,
  lon double precision,
  remark text default ''::text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  cell bigint generated always as (device_cell(lat, lon)) stored,
  constraint merchant_shop_pkey PRIMARY KEY (id),
  constraint merchant_shop_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint merchant_shop_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant_merchant(id) ON DELETE CASCADE,
  constraint merchant_shop_check CHECK ((num_nulls(lat, lon) <> 1))
);
alter table merchant_shop enable row level security;

create table message_delivery (
  id bigint generated always as identity,
  message_id bigint not null,
  user_id bigint not null,
  status text default '0'::text not null,
  popup boolean default false not null,
  created_at timestamp with time zone default now() not null,
  read_at timestamp with time zone,
  constraint message_delivery_message_id_user_id_key UNIQUE (message_id, user_id),
  constraint message_delivery_pkey PRIMARY KEY (id),
  constraint message_delivery_message_id_fkey FOREIGN KEY (message_id) REFERENCES message_message(id) ON DELETE CASCADE,
  constraint message_delivery_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE,
  constraint message_delivery_status_check CHECK ((status = ANY (ARRAY['0'::text, '1'::text])))
);

create table message_message (
  id bigint generated always as identity,
  type text not null,
  priority text default '2'::text not null,
  text_key text,
  params jsonb default '{}'::jsonb not null,
  title text default ''::text not null,
  body text default ''::text not null,
  link text,
  recipients text not null,
  target jsonb not null,
  channels text[] default '{centre}'::text[] not null,
  sender_id bigint,
  sender text,
  dept_path text collate "C" not null,
  people integer,
  read_count integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  recalled_at timestamp with time zone,
  constraint message_message_pkey PRIMARY KEY (id),
  constraint message_message_priority_check CHECK ((priority = ANY (ARRAY['1'::text, '2'::text, '3'::text]))),
  constraint message_message_recipients_check CHECK ((recipients = ANY (ARRAY['all'::text, 'organisation'::text, 'users'::text]))),
  constraint message_message_type_check CHECK ((type = ANY (ARRAY['1'::text, '2'::text, '3'::text])))
);

create table message_notice (
  id bigint generated always as identity,
  title text not null,
  body text not null,
  state text default 'draft'::text not null,
  priority text default '2'::text not null,
  recipients text default 'all'::text not null,
  dept_ids bigint[] default '{}'::bigint[] not null,
  role_ids bigint[] default '{}'::bigint[] not null,
  user_ids bigint[] default '{}'::bigint[] not null,
  channels text[] default '{}'::text[] not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  files bigint[] default '{}'::bigint[] not null,
  people integer,
  read_count integer default 0 not null,
  published_at timestamp with time zone,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_by text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  put_away_at timestamp with time zone,
  reminded_at timestamp with time zone,
  remind_waits boolean default false not null,
  constraint message_notice_pkey PRIMARY KEY (id),
  constraint message_notice_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint message_notice_priority_check CHECK ((priority = ANY (ARRAY['1'::text, '2'::text, '3'::text]))),
  constraint message_notice_recipients_check CHECK ((recipients = ANY (ARRAY['all'::text, 'organisation'::text, 'roles'::text, 'users'::text]))),
  constraint message_notice_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'scheduled'::text, 'published'::text, 'ended'::text, 'recalled'::text])))
);
alter table message_notice enable row level security;

create table message_notice_delivery (
  id bigint generated always as identity,
  notice_id bigint not null,
  user_id bigint not null,
  status text default '0'::text not null,
  popup boolean default false not null,
  published_at timestamp with time zone not null,
  read_at timestamp with time zone,
  over boolean default false not null,
  constraint message_notice_delivery_notice_id_user_id_key UNIQUE (notice_id, user_id),
  constraint message_notice_delivery_pkey PRIMARY KEY (id),
  constraint message_notice_delivery_notice_id_fkey FOREIGN KEY (notice_id) REFERENCES message_notice(id) ON DELETE CASCADE,
  constraint message_notice_delivery_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_user(id) ON DELETE CASCADE,
  constraint message_notice_delivery_status_check CHECK ((status = ANY (ARRAY['0'::text, '1'::text])))
);

create table message_notice_file (
  notice_id bigint not null,
  file_id bigint not null,
  dept_path text collate "C" not null,
  constraint message_notice_file_pkey PRIMARY KEY (notice_id, file_id),
  constraint message_notice_file_file_id_fkey FOREIGN KEY (file_id) REFERENCES file_file(id),
  constraint message_notice_file_notice_id_fkey FOREIGN KEY (notice_id) REFERENCES message_notice(id) ON DELETE CASCADE
);
alter table message_notice_file enable row level security;

create table order_counter (
  dept_id bigint not null,
  year integer not null,
  last integer not null,
  constraint order_counter_pkey PRIMARY KEY (dept_id, year),
  constraint order_counter_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id)
);

create table order_entry (
  id bigint generated always as identity,
  order_id bigint not null,
  event text,
  side text not null,
  text text default ''::text not null,
  by_id bigint,
  by_name text default ''::text not null,
  at timestamp with time zone default now() not null,
  dept_path text collate "C" not null,
  internal boolean default false not null,
  constraint order_entry_pkey PRIMARY KEY (id),
  constraint order_entry_order_id_fkey FOREIGN KEY (order_id) REFERENCES order_order(id) ON DELETE CASCADE,
  constraint order_entry_side_check CHECK ((side = ANY (ARRAY['customer'::text, 'service'::text])))
);
alter table order_entry enable row level security;

create table order_file (
  order_id bigint not null,
  entry_id bigint,
  file_id bigint not null,
  dept_path text collate "C" not null,
  constraint order_file_order_id_file_id_entry_id_key UNIQUE NULLS NOT DISTINCT (order_id, file_id, entry_id),
  constraint order_file_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES order_entry(id) ON DELETE CASCADE,
  constraint order_file_file_id_fkey FOREIGN KEY (file_id) REFERENCES file_file(id),
  constraint order_file_order_id_fkey FOREIGN KEY (order_id) REFERENCES order_order(id) ON DELETE CASCADE
);
alter table order_file enable row level security;

create table order_order (
  id bigint generated always as identity,
  number text not null,
  state text default 'created'::text not null,
  costs text default 'none'::text not null,
  device_id bigint not null,
  sn text collate "C" not null,
  product_id bigint,
  product_name text default ''::text not null,
  merchant_id bigint,
  shop_id bigint,
  merchant_name text default ''::text not null,
  shop_name text default ''::text not null,
  partner_id bigint not null,
  partner_name text not null,
  partner_path text collate "C" not null,
  contact_name text default ''::text not null,
  phone text default ''::text not null,
  address text default ''::text not null,
  fault text not null,
  description text default ''::text not null,
  photos bigint[] default '{}'::bigint[] not null,
  due_on date,
  out_carrier text default ''::text not null,
  out_number text default ''::text not null,
  back_carrier text default ''::text not null,
  back_number text default ''::text not null,
  diagnosis text default ''::text not null,
  work_done text default ''::text not null,
  currency text default '1'::text not null,
  parts jsonb default '[]'::jsonb not null,
  labour text default ''::text not null,
  warranty_until date,
  engineer_id bigint,
  engineer text default ''::text not null,
  replacement_id bigint,
  replacement_sn text default ''::text not null,
  reason text default ''::text not null,
  closed_at timestamp with time zone,
  dept_id bigint not null,
  dept_name text not null,
  dept_path text collate "C" not null,
  created_by_id bigint,
  created_by text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  quoted_by_id bigint,
  warranty text default 'none'::text not null,
  warranty_reason text default ''::text not null,
  reminded text[] default '{}'::text[] not null,
  total bigint default 0 not null,
  due_sort date generated always as (COALESCE(due_on, 'infinity'::date)) stored,
  closed_sort timestamp with time zone generated always as (COALESCE(closed_at, 'infinity'::timestamp with time zone)) stored,
  constraint order_order_pkey PRIMARY KEY (id),
  constraint order_order_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint order_order_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant_merchant(id) ON DELETE SET NULL,
  constraint order_order_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES org_dept(id),
  constraint order_order_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES merchant_shop(id) ON DELETE SET NULL,
  constraint order_order_costs_check CHECK ((costs = ANY (ARRAY['none'::text, 'asked'::text, 'approved'::text, 'refused'::text]))),
  constraint order_order_currency_check CHECK ((currency = ANY (ARRAY['1'::text, '2'::text]))),
  constraint order_order_state_check CHECK ((state = ANY (ARRAY['created'::text, 'accepted'::text, 'received'::text, 'repairing'::text, 'returning'::text, 'closed'::text, 'cancelled'::text]))),
  constraint order_order_warranty_check CHECK ((warranty = ANY (ARRAY['none'::text, 'covered'::text, 'denied'::text, 'accepted'::text, 'disputed'::text])))
);
alter table order_order enable row level security;

create table org_dept (
  id bigint generated by default as identity,
  parent_id bigint,
  dept_path text collate "C" not null,
  kind text not null,
  name text not null,
  state text default 'enabled'::text not null,
  time_zone text default 'UTC'::text not null,
  created_at timestamp with time zone default now() not null,
  contact_name text default ''::text not null,
  contact_phone text default ''::text not null,
  contact_email text default ''::text not null,
  address text default ''::text not null,
  remark text default ''::text not null,
  reason text,
  merged_into bigint,
  joinable boolean,
  join_code text default upper("left"(replace((gen_random_uuid())::text, '-'::text, ''::text), 10)) not null,
  revision integer default 1 not null,
  constraint org_dept_dept_path_key UNIQUE (dept_path),
  constraint org_dept_pkey PRIMARY KEY (id),
  constraint org_dept_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES org_dept(id),
  constraint org_dept_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES org_dept(id),
  constraint org_dept_kind_check CHECK ((kind = ANY (ARRAY['platform'::text, 'productLine'::text, 'businessUnit'::text, 'organisation'::text]))),
  constraint org_dept_state_check CHECK ((state = ANY (ARRAY['applied'::text, 'refused'::text, 'enabled'::text, 'disabled'::text, 'closed'::text])))
);
alter table org_dept enable row level security;

create table org_invite (
  id bigint generated always as identity,
  code_hash bytea not null,
  email text not null,
  name text not null,
  state text default 'open'::text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  invited_by bigint not null,
  invited_by_name text not null,
  used_dept bigint,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint org_invite_code_hash_key UNIQUE (code_hash),
  constraint org_invite_pkey PRIMARY KEY (id),
  constraint org_invite_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint org_invite_state_check CHECK ((state = ANY (ARRAY['open'::text, 'used'::text, 'withdrawn'::text, 'expired'::text])))
);
alter table org_invite enable row level security;

create table org_trust (
  id bigint generated always as identity,
  pair text not null,
  side text not null,
  dept_id bigint not null,
  trustee_id bigint not null,
  state text default 'active'::text not null,
  until timestamp with time zone not null,
  given_by text not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint org_trust_pair_side_key UNIQUE (pair, side),
  constraint org_trust_pkey PRIMARY KEY (id),
  constraint org_trust_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint org_trust_trustee_id_fkey FOREIGN KEY (trustee_id) REFERENCES org_dept(id),
  constraint org_trust_side_check CHECK ((side = ANY (ARRAY['giver'::text, 'trustee'::text]))),
  constraint org_trust_state_check CHECK ((state = ANY (ARRAY['active'::text, 'ended'::text, 'expired'::text])))
);
alter table org_trust enable row level security;

create table paramfile_file (
  id bigint generated always as identity,
  set_id bigint not null,
  device_id bigint not null,
  sn text collate "C" not null,
  file_name text not null,
  size bigint not null,
  sha256 text not null,
  dept_path text collate "C" not null,
  constraint paramfile_file_pkey PRIMARY KEY (id),
  constraint paramfile_file_set_id_fkey FOREIGN KEY (set_id) REFERENCES paramfile_set(id) ON DELETE CASCADE
);
alter table paramfile_file enable row level security;

create table paramfile_given (
  template_id bigint not null,
  device_id bigint not null,
  dept_path text collate "C" not null,
  wanted text,
  behind boolean default false not null,
  stale boolean default false not null,
  constraint paramfile_given_pkey PRIMARY KEY (template_id, device_id),
  constraint paramfile_given_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE,
  constraint paramfile_given_template_id_fkey FOREIGN KEY (template_id) REFERENCES paramfile_template(id) ON DELETE CASCADE
);
alter table paramfile_given enable row level security;

create table paramfile_level (
  id bigint generated always as identity,
  template_id bigint not null,
  level text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  merchant_id bigint,
  shop_id bigint,
  device_id bigint,
  place_id bigint generated always as (COALESCE(device_id, shop_id, merchant_id, dept_id)) stored,
  "values" jsonb default '{}'::jsonb not null,
  locked text[] default '{}'::text[] not null,
  locked_count integer generated always as (cardinality(locked)) stored,
  secret_keys text[] default '{}'::text[] not null,
  sealed bytea,
  given integer default 0 not null,
  updated_by text not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  constraint paramfile_level_pkey PRIMARY KEY (id),
  constraint paramfile_level_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint paramfile_level_device_id_fkey FOREIGN KEY (device_id) REFERENCES device(id) ON DELETE CASCADE,
  constraint paramfile_level_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant_merchant(id) ON DELETE CASCADE,
  constraint paramfile_level_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES merchant_shop(id) ON DELETE CASCADE,
  constraint paramfile_level_template_id_fkey FOREIGN KEY (template_id) REFERENCES paramfile_template(id),
  constraint paramfile_level_check CHECK ((num_nonnulls(merchant_id, shop_id, device_id) = ((level <> 'org'::text))::integer)),
  constraint paramfile_level_level_check CHECK ((level = ANY (ARRAY['org'::text, 'merchant'::text, 'shop'::text, 'device'::text])))
);
alter table paramfile_level enable row level security;

create table paramfile_secret (
  id bigint generated always as identity,
  template_id bigint not null,
  keys text[] not null,
  sealed bytea not null,
  digest text not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  constraint paramfile_secret_pkey PRIMARY KEY (id),
  constraint paramfile_secret_template_id_fkey FOREIGN KEY (template_id) REFERENCES paramfile_template(id) ON DELETE CASCADE
);
alter table paramfile_secret enable row level security;

create table paramfile_set (
  id bigint generated always as identity,
  name text not null,
  remark text default ''::text not null,
  files integer not null,
  size bigint not null,
  version text not null,
  file_name text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  constraint paramfile_set_pkey PRIMARY KEY (id),
  constraint paramfile_set_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id)
);
alter table paramfile_set enable row level security;

create table paramfile_stale (
  id bigint generated always as identity,
  template_id bigint not null,
  level text not null,
  path text collate "C",
  place_id bigint,
  after_path text collate "C" default ''::text not null,
  after_id bigint default 0 not null,
  constraint paramfile_stale_pkey PRIMARY KEY (id),
  constraint paramfile_stale_template_id_fkey FOREIGN KEY (template_id) REFERENCES paramfile_template(id) ON DELETE CASCADE,
  constraint paramfile_stale_level_check CHECK ((level = ANY (ARRAY['all'::text, 'org'::text, 'merchant'::text, 'shop'::text])))
);

create table paramfile_template (
  id bigint generated always as identity,
  name text not null,
  product_id bigint,
  fields jsonb not null,
  field_count integer generated always as (jsonb_array_length(fields)) stored,
  remark text default ''::text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  changed_by text default ''::text not null,
  constraint paramfile_template_pkey PRIMARY KEY (id),
  constraint paramfile_template_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint paramfile_template_product_id_fkey FOREIGN KEY (product_id) REFERENCES product_product(id)
);
alter table paramfile_template enable row level security;

create table paramfile_template_version (
  template_id bigint not null,
  no integer not null,
  fields jsonb not null,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  dept_path text collate "C" not null,
  constraint paramfile_template_version_pkey PRIMARY KEY (template_id, no),
  constraint paramfile_template_version_template_id_fkey FOREIGN KEY (template_id) REFERENCES paramfile_template(id) ON DELETE CASCADE
);
alter table paramfile_template_version enable row level security;

create table product_firm (
  id bigint generated always as identity,
  code text not null,
  name text not null,
  country text default ''::text not null,
  website text default ''::text not null,
  remark text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  constraint product_firm_pkey PRIMARY KEY (id)
);

create table product_model (
  id bigint generated always as identity,
  product_id bigint not null,
  version integer not null,
  state text default 'draft'::text not null,
  model jsonb not null,
  note text default ''::text not null,
  created_by text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  published_at timestamp with time zone,
  dept_path text collate "C" not null,
  revision integer default 1 not null,
  constraint product_model_product_id_version_key UNIQUE (product_id, version),
  constraint product_model_pkey PRIMARY KEY (id),
  constraint product_model_product_id_fkey FOREIGN KEY (product_id) REFERENCES product_product(id) ON DELETE CASCADE,
  constraint product_model_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'published'::text, 'superseded'::text])))
);
alter table product_model enable row level security;

create table product_product (
  id bigint generated always as identity,
  code text not null,
  name text not null,
  category text not null,
  firm text default ''::text not null,
  industry text default ''::text not null,
  networks text[] default '{}'::text[] not null,
  package_kinds text[] default '{}'::text[] not null,
  heartbeat_seconds integer default 300 not null,
  remark text default ''::text not null,
  publish_status text default '0'::text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  firm_id bigint,
  photo_id bigint,
  low_battery_percent integer,
  storage_full_percent integer,
  silent_hours integer,
  config jsonb default '{}'::jsonb not null,
  android_sdk integer,
  abis text[] default '{}'::text[] not null,
  constraint product_product_code_key UNIQUE (code),
  constraint product_product_pkey PRIMARY KEY (id),
  constraint product_product_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint product_product_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES product_firm(id),
  constraint product_product_photo_id_fkey FOREIGN KEY (photo_id) REFERENCES file_file(id),
  constraint product_product_android_sdk_check CHECK (((android_sdk >= 1) AND (android_sdk <= 999))),
  constraint product_product_publish_status_check CHECK ((publish_status = ANY (ARRAY['0'::text, '1'::text])))
);
alter table product_product enable row level security;

create table product_share (
  id bigint generated always as identity,
  pair uuid not null,
  side text not null,
  product_id bigint not null,
  dept_id bigint not null,
  other_id bigint not null,
  other_name text not null,
  shared_by text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  dept_path text collate "C" not null,
  constraint product_share_pair_side_key UNIQUE (pair, side),
  constraint product_share_pkey PRIMARY KEY (id),
  constraint product_share_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint product_share_product_id_fkey FOREIGN KEY (product_id) REFERENCES product_product(id) ON DELETE CASCADE,
  constraint product_share_side_check CHECK ((side = ANY (ARRAY['giver'::text, 'receiver'::text])))
);
alter table product_share enable row level security;

create table release_blackout (
  id bigint generated always as identity,
  name text not null,
  from_day date not null,
  to_day date not null,
  remark text default ''::text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  constraint release_blackout_pkey PRIMARY KEY (id),
  constraint release_blackout_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint release_blackout_check CHECK ((to_day >= from_day))
);
alter table release_blackout enable row level security;

create table rollout_attempt (
  offer text not null,
  result_id bigint not null,
  device_id bigint not null,
  no integer not null,
  sent_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  outcome text,
  reason text,
  message text,
  version text,
  sha256 text,
  late boolean default false not null,
  dept_path text collate "C" not null,
  size bigint,
  full_size bigint,
  constraint rollout_attempt_pkey PRIMARY KEY (offer)
) with (fillfactor=50);
alter table rollout_attempt enable row level security;

create table rollout_difference (
  id bigint generated always as identity,
  content text not null,
  package_id bigint,
  base_id bigint,
  state text default 'generating'::text not null,
  verification text default '0'::text not null,
  reason text,
  percent integer default 0 not null,
  size bigint default 0 not null,
  sha256 text,
  frames integer default 0 not null,
  seconds real,
  lease text,
  lease_until timestamp with time zone,
  tries integer default 0 not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_by bigint not null,
  created_by_name text not null,
  created_at timestamp with time zone default now() not null,
  made_at timestamp with time zone,
  enable_at_once boolean default false not null,
  app_version_id bigint,
  app_base_id bigint,
  form text default 'image'::text not null,
  target_id bigint generated always as (COALESCE(package_id, app_version_id)) stored,
  from_id bigint generated always as (COALESCE(base_id, app_base_id)) stored,
  tried_for bigint,
  constraint rollout_difference_pkey PRIMARY KEY (id),
  constraint rollout_difference_app_base_id_fkey FOREIGN KEY (app_base_id) REFERENCES app_version(id) ON DELETE CASCADE,
  constraint rollout_difference_app_version_id_fkey FOREIGN KEY (app_version_id) REFERENCES app_version(id) ON DELETE CASCADE,
  constraint rollout_difference_base_id_fkey FOREIGN KEY (base_id) REFERENCES rollout_package(id) ON DELETE CASCADE,
  constraint rollout_difference_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint rollout_difference_package_id_fkey FOREIGN KEY (package_id) REFERENCES rollout_package(id) ON DELETE CASCADE,
  constraint rollout_difference_tried_for_fkey FOREIGN KEY (tried_for) REFERENCES account_user(id) ON DELETE SET NULL,
  constraint rollout_difference_apart CHECK ((app_version_id <> app_base_id)),
  constraint rollout_difference_bytes CHECK ((((state = ANY (ARRAY['made'::text, 'enabled'::text])) <= (sha256 IS NOT NULL)) AND ((state = 'verified'::text) <= ((sha256 IS NOT NULL) OR (made_at IS NOT NULL))))),
  constraint rollout_difference_check CHECK ((package_id <> base_id)),
  constraint rollout_difference_check2 CHECK (((state <> 'enabled'::text) OR (verification = '1'::text))),
  constraint rollout_difference_form_check CHECK ((form = ANY (ARRAY['image'::text, 'entries'::text]))),
  constraint rollout_difference_sides CHECK ((((num_nonnulls(package_id, base_id) = 2) AND (num_nonnulls(app_version_id, app_base_id) = 0)) OR ((num_nonnulls(package_id, base_id) = 0) AND (num_nonnulls(app_version_id, app_base_id) = 2)))),
  constraint rollout_difference_state_check CHECK ((state = ANY (ARRAY['generating'::text, 'made'::text, 'verified'::text, 'enabled'::text, 'failed'::text, 'verifyFailed'::text, 'givenUp'::text]))),
  constraint rollout_difference_verification_check CHECK ((verification = ANY (ARRAY['0'::text, '1'::text, '2'::text])))
);
alter table rollout_difference enable row level security;

create table rollout_difference_turn (
  org_id bigint not null,
  turn bigint not null,
  constraint rollout_difference_turn_pkey PRIMARY KEY (org_id),
  constraint rollout_difference_turn_org_id_fkey FOREIGN KEY (org_id) REFERENCES org_dept(id) ON DELETE CASCADE
);

create table rollout_look (
  id bigint generated always as identity,
  device_id bigint not null,
  at timestamp with time zone,
  due_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  constraint rollout_look_pkey PRIMARY KEY (id)
);

create table rollout_minute (
  task_id bigint not null,
  dept_path text collate "C" not null,
  at timestamp with time zone not null,
  state text not null,
  n bigint not null
);
alter table rollout_minute enable row level security;

create table rollout_package (
  id bigint generated always as identity,
  product_id bigint not null,
  version text not null,
  kind text not null,
  base text,
  file_id bigint not null,
  file_name text not null,
  size bigint not null,
  sha256 text not null,
  md5 text not null,
  note text default ''::text not null,
  publish_state text default '0'::text not null,
  key_id text,
  signature text,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_by bigint not null,
  created_by_name text not null,
  created_at timestamp with time zone default now() not null,
  full_sha256 text,
  full_size bigint,
  deleted_at timestamp with time zone,
  content text default 'firmware'::text not null,
  name text default ''::text not null,
  carried jsonb,
  publish_round integer default 0 not null,
  publish_at timestamp with time zone,
  publish_by bigint,
  publish_no integer default 0 not null,
  publish_held timestamp with time zone,
  constraint rollout_package_pkey PRIMARY KEY (id),
  constraint firmware_package_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint firmware_package_product_id_fkey FOREIGN KEY (product_id) REFERENCES product_product(id),
  constraint firmware_package_check CHECK (((kind = 'DI'::text) = (base IS NOT NULL))),
  constraint firmware_package_kind_check CHECK ((kind = ANY (ARRAY['TA'::text, 'DI'::text]))),
  constraint firmware_package_publish_state_check CHECK ((publish_state = ANY (ARRAY['0'::text, '1'::text, '2'::text, '3'::text])))
);
alter table rollout_package enable row level security;

create table rollout_place (
  id bigint generated always as identity,
  package_id bigint,
  domain_id bigint,
  name text default ''::text not null,
  url text default ''::text not null,
  sha256 text not null,
  there boolean,
  attempts integer default 0 not null,
  tried_at timestamp with time zone,
  problem text,
  detail text default ''::text not null,
  dept_path text collate "C" not null,
  version_id bigint,
  constraint rollout_place_once UNIQUE NULLS NOT DISTINCT (package_id, version_id, domain_id),
  constraint rollout_place_pkey PRIMARY KEY (id),
  constraint rollout_place_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES settings_download_domain(id) ON DELETE CASCADE,
  constraint rollout_place_package_id_fkey FOREIGN KEY (package_id) REFERENCES rollout_package(id) ON DELETE CASCADE,
  constraint rollout_place_version_id_fkey FOREIGN KEY (version_id) REFERENCES app_version(id) ON DELETE CASCADE,
  constraint rollout_place_of CHECK ((num_nonnulls(package_id, version_id) = 1))
);
alter table rollout_place enable row level security;

create table rollout_result (
  id bigint generated always as identity,
  task_id bigint not null,
  kind text not null,
  device_id bigint not null,
  sn text collate "C" not null,
  ring integer not null,
  state text default '1'::text not null,
  next_at timestamp with time zone not null,
  due_at timestamp with time zone,
  attempts integer default 0 not null,
  tries_left integer not null,
  offer text,
  from_version text,
  version text,
  phase text,
  percent real,
  reason text,
  message text,
  sent_at timestamp with time zone,
  ended_at timestamp with time zone,
  changed_at timestamp with time zone default now() not null,
  dept_path text collate "C" not null,
  attention smallint generated always as (
CASE
    WHEN (state = ANY (ARRAY['4'::text, '5'::text, '7'::text])) THEN 0
    WHEN (state = '2'::text) THEN 1
    WHEN (state = '8'::text) THEN 2
    WHEN (state = '1'::text) THEN 3
    ELSE 4
END) stored not null,
  part text default ''::text not null,
  from_known boolean,
  constraint rollout_result_pkey PRIMARY KEY (id),
  constraint rollout_result_state_check CHECK ((state = ANY (ARRAY['1'::text, '2'::text, '3'::text, '4'::text, '5'::text, '6'::text, '7'::text, '8'::text, '9'::text, '10'::text])))
) with (fillfactor=80);
alter table rollout_result enable row level security;

create table rollout_ring (
  task_id bigint not null,
  ring integer not null,
  opened_at timestamp with time zone not null,
  opened_by_name text,
  ready_at timestamp with time zone,
  told_at timestamp with time zone,
  accepted_failed integer default 0 not null,
  dept_path text collate "C" not null,
  constraint rollout_ring_pkey PRIMARY KEY (task_id, ring),
  constraint rollout_ring_task_id_fkey FOREIGN KEY (task_id) REFERENCES rollout_task(id) ON DELETE CASCADE
);
alter table rollout_ring enable row level security;

create table rollout_tally (
  task_id bigint not null,
  dept_path text collate "C" not null,
  ring integer not null,
  state text not null,
  n bigint not null
);
alter table rollout_tally enable row level security;

create table rollout_task (
  id bigint generated always as identity,
  kind text not null,
  task_class text default '1'::text not null,
  name text not null,
  package_id bigint,
  product_id bigint,
  release_scope text not null,
  scope jsonb not null,
  delivery jsonb not null,
  state text default 'draft'::text not null,
  start_at timestamp with time zone,
  expires_at timestamp with time zone,
  open_ring integer default 1 not null,
  gathered_at timestamp with time zone,
  gathered_to bigint default 0 not null,
  halt_reason text,
  remark text default ''::text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_by bigint not null,
  created_by_name text not null,
  created_at timestamp with time zone default now() not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  revision integer default 1 not null,
  accepted_failed integer default 0 not null,
  accepted_ended integer default 0 not null,
  content jsonb,
  subject text default ''::text not null,
  ring_gate integer,
  approved_hash text,
  param_set_id bigint generated always as (((content ->> 'setId'::text))::bigint) stored,
  param_template_id bigint generated always as (
CASE
    WHEN (kind = 'androidParam'::text) THEN ((content ->> 'templateId'::text))::bigint
    ELSE NULL::bigint
END) stored,
  param_secret_id bigint generated always as (
CASE
    WHEN (kind = 'androidParam'::text) THEN ((content ->> 'kept'::text))::bigint
    ELSE NULL::bigint
END) stored,
  advert_id bigint generated always as (
CASE
    WHEN (kind = 'storeAdvertSpace'::text) THEN ((content ->> 'contentId'::text))::bigint
    ELSE NULL::bigint
END) stored,
  customization_id bigint generated always as (
CASE
    WHEN (kind = 'systemCustomization'::text) THEN ((content ->> 'contentId'::text))::bigint
    ELSE NULL::bigint
END) stored,
  desktop_id bigint generated always as (
CASE
    WHEN (kind = 'customizeDesktop'::text) THEN ((content ->> 'contentId'::text))::bigint
    ELSE NULL::bigint
END) stored,
  ring_bounds text[],
  group_ids bigint[] generated always as (rollout_groups(scope, delivery)) stored,
  app_version_id bigint generated always as (
CASE
    WHEN (kind = 'softApp'::text) THEN ((content ->> 'versionId'::text))::bigint
    ELSE NULL::bigint
END) stored,
  app_param_template_id bigint generated always as (
CASE
    WHEN (kind = 'softApp'::text) THEN ((content ->> 'templateId'::text))::bigint
    ELSE NULL::bigint
END) stored,
  editor_ids bigint[] default '{}'::bigint[] not null,
  constraint rollout_task_pkey PRIMARY KEY (id),
  constraint rollout_task_advert_id_fkey FOREIGN KEY (advert_id) REFERENCES desktop_advert(id),
  constraint rollout_task_app_param_template_id_fkey FOREIGN KEY (app_param_template_id) REFERENCES paramfile_template(id),
  constraint rollout_task_app_version_id_fkey FOREIGN KEY (app_version_id) REFERENCES app_version(id),
  constraint rollout_task_customization_id_fkey FOREIGN KEY (customization_id) REFERENCES desktop_customization(id),
  constraint rollout_task_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint rollout_task_desktop_id_fkey FOREIGN KEY (desktop_id) REFERENCES desktop_desktop(id),
  constraint rollout_task_param_secret_id_fkey FOREIGN KEY (param_secret_id) REFERENCES paramfile_secret(id),
  constraint rollout_task_param_set_id_fkey FOREIGN KEY (param_set_id) REFERENCES paramfile_set(id),
  constraint rollout_task_param_template_id_fkey FOREIGN KEY (param_template_id) REFERENCES paramfile_template(id),
  constraint rollout_task_release_scope_check CHECK ((release_scope = ANY (ARRAY['0'::text, '1'::text, '2'::text]))),
  constraint rollout_task_sends CHECK (((package_id IS NULL) = (content IS NOT NULL))),
  constraint rollout_task_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'auditing'::text, 'returned'::text, 'rejected'::text, 'ready'::text, 'scheduled'::text, 'running'::text, 'paused'::text, 'halted'::text, 'finished'::text, 'cancelled'::text]))),
  constraint rollout_task_task_class_check CHECK ((task_class = ANY (ARRAY['0'::text, '1'::text])))
);
alter table rollout_task enable row level security;

create table rollout_wanted (
  id bigint generated always as identity,
  device_id bigint not null,
  kind text not null,
  part text collate "C" default ''::text not null,
  task_id bigint not null,
  owner_dept_id bigint not null,
  version text collate "C",
  before text collate "C",
  settled boolean not null,
  at timestamp with time zone not null,
  sent_at timestamp with time zone not null,
  found text collate "C",
  since timestamp with time zone,
  busy boolean default false not null,
  again_task_id bigint,
  dept_path text collate "C" not null,
  constraint rollout_wanted_pkey PRIMARY KEY (id)
) with (fillfactor=80);
alter table rollout_wanted enable row level security;

create table schema_floor (
  one boolean default true not null,
  migration text not null,
  version text not null,
  constraint schema_floor_pkey PRIMARY KEY (one),
  constraint schema_floor_one_check CHECK (one)
);

create table settings_change_request (
  id bigint generated always as identity,
  state text default 'waiting'::text not null,
  target text not null,
  line_id bigint,
  call text not null,
  input_sealed bytea,
  before jsonb not null,
  after jsonb not null,
  secrets text[] not null,
  author_id bigint,
  author_name text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  decided_by bigint,
  decided_by_name text,
  decided_at timestamp with time zone,
  remark text default ''::text not null,
  dept_path text collate "C" not null,
  home text default 'settings'::text not null,
  subject_id bigint,
  subject_name text default ''::text not null,
  constraint settings_change_request_pkey PRIMARY KEY (id),
  constraint settings_change_request_author_id_fkey FOREIGN KEY (author_id) REFERENCES account_user(id) ON DELETE SET NULL,
  constraint settings_change_request_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES account_user(id) ON DELETE SET NULL,
  constraint settings_change_request_line_id_fkey FOREIGN KEY (line_id) REFERENCES org_dept(id) ON DELETE CASCADE,
  constraint settings_change_request_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'approved'::text, 'refused'::text, 'withdrawn'::text, 'expired'::text])))
);

create table settings_dict (
  id bigint generated always as identity,
  code text not null,
  name text not null,
  remark text default ''::text not null,
  system boolean default false not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  constraint settings_dict_code_key UNIQUE (code),
  constraint settings_dict_pkey PRIMARY KEY (id)
);

create table settings_dict_entry (
  id bigint generated always as identity,
  dict_id bigint not null,
  value text not null,
  labels jsonb default '{}'::jsonb not null,
  text_key text,
  sort integer default 100 not null,
  enabled boolean default true not null,
  system boolean default false not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  picture text,
  constraint settings_dict_entry_dict_id_value_key UNIQUE (dict_id, value),
  constraint settings_dict_entry_pkey PRIMARY KEY (id),
  constraint settings_dict_entry_dict_id_fkey FOREIGN KEY (dict_id) REFERENCES settings_dict(id) ON DELETE CASCADE
);

create table settings_download_domain (
  id bigint generated always as identity,
  name text not null,
  url text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  enabled boolean default true not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  checked boolean default true not null,
  constraint settings_download_domain_dept_id_url_key UNIQUE (dept_id, url),
  constraint settings_download_domain_pkey PRIMARY KEY (id),
  constraint settings_download_domain_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id)
);
alter table settings_download_domain enable row level security;

create table settings_saved_view (
  id bigint generated always as identity,
  user_id bigint not null,
  user_name text not null,
  code text not null,
  name text not null,
  query text not null,
  columns jsonb,
  shared boolean default false not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  constraint settings_saved_view_pkey PRIMARY KEY (id)
);

create table settings_table_config (
  user_id bigint not null,
  code text not null,
  config jsonb not null,
  updated_at timestamp with time zone default now() not null,
  constraint settings_table_config_pkey PRIMARY KEY (user_id, code)
);

create table settings_value (
  type text not null,
  value jsonb not null,
  updated_at timestamp with time zone default now() not null,
  saved_by bigint,
  constraint settings_value_pkey PRIMARY KEY (type)
);

create table settings_view_default (
  user_id bigint not null,
  code text not null,
  view_id bigint not null,
  constraint settings_view_default_pkey PRIMARY KEY (user_id, code),
  constraint settings_view_default_view_id_fkey FOREIGN KEY (view_id) REFERENCES settings_saved_view(id) ON DELETE CASCADE
);

create table settings_webhook (
  id bigint generated always as identity,
  name text not null,
  url text not null,
  secret_sealed bytea not null,
  events text[] not null,
  enabled boolean default true not null,
  failing_since timestamp with time zone,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  receiver_id bigint,
  given_up_at timestamp with time zone,
  app_id bigint,
  deleted_at timestamp with time zone,
  constraint settings_webhook_pkey PRIMARY KEY (id),
  constraint settings_webhook_app_id_fkey FOREIGN KEY (app_id) REFERENCES app_app(id) ON DELETE CASCADE,
  constraint settings_webhook_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint settings_webhook_receiver_id_fkey FOREIGN KEY (receiver_id) REFERENCES alert_receiver(id) ON DELETE CASCADE
);
alter table settings_webhook enable row level security;

create table settings_webhook_delivery (
  id bigint generated always as identity,
  webhook_id bigint not null,
  event_id text not null,
  event text not null,
  body text not null,
  state text default 'waiting'::text not null,
  attempts integer default 0 not null,
  next_at timestamp with time zone default now() not null,
  status integer,
  error text,
  took_ms integer,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint settings_webhook_delivery_pkey PRIMARY KEY (id),
  constraint settings_webhook_delivery_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES settings_webhook(id) ON DELETE CASCADE,
  constraint settings_webhook_delivery_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sending'::text, 'done'::text, 'failed'::text])))
);
alter table settings_webhook_delivery enable row level security;

create table sheet_import (
  id bigint generated always as identity,
  job text not null,
  sha256 text not null,
  rows integer not null,
  by_name text not null,
  at timestamp with time zone not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  constraint sheet_import_pkey PRIMARY KEY (id),
  constraint sheet_import_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id)
);
alter table sheet_import enable row level security;

create table sheet_taken (
  work bigint not null,
  line integer not null,
  outcomes jsonb not null,
  dept_path text collate "C" not null,
  constraint sheet_taken_pkey PRIMARY KEY (work, line),
  constraint sheet_taken_work_fkey FOREIGN KEY (work) REFERENCES work(id) ON DELETE CASCADE
);
alter table sheet_taken enable row level security;

create table signing_ask (
  id bigint generated always as identity,
  job_id bigint not null,
  digest text not null,
  sha256 text not null,
  data bytea not null,
  signature bytea,
  constraint signing_ask_job_id_digest_sha256_key UNIQUE (job_id, digest, sha256),
  constraint signing_ask_pkey PRIMARY KEY (id),
  constraint signing_ask_job_id_fkey FOREIGN KEY (job_id) REFERENCES signing_job(id) ON DELETE CASCADE,
  constraint signing_ask_digest_check CHECK ((digest = ANY (ARRAY['sha256'::text, 'sha384'::text, 'sha512'::text])))
);

create table signing_export (
  id bigint generated always as identity,
  key_id bigint not null,
  file_for bigint,
  password_for bigint,
  expires_at timestamp with time zone not null,
  dept_path text collate "C" not null,
  constraint signing_export_pkey PRIMARY KEY (id),
  constraint signing_export_file_for_fkey FOREIGN KEY (file_for) REFERENCES account_user(id) ON DELETE CASCADE,
  constraint signing_export_key_id_fkey FOREIGN KEY (key_id) REFERENCES signing_key(id) ON DELETE CASCADE,
  constraint signing_export_password_for_fkey FOREIGN KEY (password_for) REFERENCES account_user(id) ON DELETE CASCADE
);
alter table signing_export enable row level security;

create table signing_export_secret (
  export_id bigint not null,
  file bytea not null,
  password_sealed bytea not null,
  constraint signing_export_secret_pkey PRIMARY KEY (export_id),
  constraint signing_export_secret_export_id_fkey FOREIGN KEY (export_id) REFERENCES signing_export(id) ON DELETE CASCADE
);

create table signing_job (
  id bigint generated always as identity,
  key_id bigint,
  file_id bigint not null,
  file_name text not null,
  size bigint not null,
  profile text not null,
  package_name text default ''::text not null,
  min_sdk integer,
  purpose text default ''::text not null,
  state text default 'requested'::text not null,
  author_id bigint,
  author text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  decided_by_id bigint,
  decided_by text,
  decided_at timestamp with time zone,
  remark text default ''::text not null,
  signed_at timestamp with time zone,
  sha256_before text not null,
  sha256_after text,
  certificate_sha256 text not null,
  reason text,
  result_name text,
  result_size bigint,
  keeps_before boolean default true not null,
  kept_until timestamp with time zone,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  waits_since timestamp with time zone,
  profile_id bigint,
  profile_name text default ''::text not null,
  profile_kind text default ''::text not null,
  root_sha256 text default ''::text not null,
  profile_terms text default ''::text not null,
  waits_for text,
  stamped_at timestamp with time zone,
  stamped_by text default ''::text not null,
  stamp bytea,
  asked_at timestamp with time zone,
  delivered_by text,
  delivered_at timestamp with time zone,
  product_ids bigint[] default '{}'::bigint[] not null,
  resumed_at timestamp with time zone,
  rotation boolean default false not null,
  oldest_key_id bigint,
  proof_sha256 text,
  version_name text default ''::text not null,
  version_code bigint,
  debuggable boolean default false not null,
  test_only boolean default false not null,
  shared_user text default ''::text not null,
  keeps_after boolean default false not null,
  constraint signing_job_pkey PRIMARY KEY (id),
  constraint signing_job_author_id_fkey FOREIGN KEY (author_id) REFERENCES account_user(id) ON DELETE SET NULL,
  constraint signing_job_decided_by_id_fkey FOREIGN KEY (decided_by_id) REFERENCES account_user(id) ON DELETE SET NULL,
  constraint signing_job_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint signing_job_key_id_fkey FOREIGN KEY (key_id) REFERENCES signing_key(id),
  constraint signing_job_oldest_key_id_fkey FOREIGN KEY (oldest_key_id) REFERENCES signing_key(id),
  constraint signing_job_profile_id_fkey FOREIGN KEY (profile_id) REFERENCES signing_profile(id) ON DELETE SET NULL,
  constraint signing_job_profile_check CHECK ((profile = ANY (ARRAY['apk'::text, 'cms'::text]))),
  constraint signing_job_signer CHECK (((key_id IS NOT NULL) OR (profile_kind = 'external'::text))),
  constraint signing_job_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'approved'::text, 'signing'::text, 'waiting'::text, 'signed'::text, 'failed'::text, 'refused'::text, 'withdrawn'::text, 'expired'::text]))),
  constraint signing_job_waits_for_check CHECK ((waits_for = ANY (ARRAY['token'::text, 'time'::text])))
);
alter table signing_job enable row level security;

create table signing_key (
  id bigint generated always as identity,
  store_id bigint not null,
  name text not null,
  algorithm text not null,
  state text default 'waiting'::text not null,
  exportable boolean default false not null,
  origin text not null,
  fingerprint text not null,
  public_key bytea not null,
  chain text[] not null,
  subject text not null,
  issuer text not null,
  serial text not null,
  certificate_sha256 text not null,
  not_before timestamp with time zone not null,
  not_after timestamp with time zone not null,
  package_names text[] default '{}'::text[] not null,
  profiles text[] default '{}'::text[] not null,
  most_uses integer,
  hour_from smallint,
  hour_to smallint,
  uses integer default 0 not null,
  warned_days smallint,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_by text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  product_ids bigint[] default '{}'::bigint[] not null,
  remains text,
  follows_id bigint,
  oldest_id bigint,
  proof bytea,
  constraint signing_key_pkey PRIMARY KEY (id),
  constraint signing_key_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint signing_key_follows_id_fkey FOREIGN KEY (follows_id) REFERENCES signing_key(id),
  constraint signing_key_oldest_id_fkey FOREIGN KEY (oldest_id) REFERENCES signing_key(id),
  constraint signing_key_store_id_fkey FOREIGN KEY (store_id) REFERENCES signing_store(id),
  constraint signing_key_algorithm_check CHECK ((algorithm = ANY (ARRAY['rsa2048'::text, 'rsa3072'::text, 'rsa4096'::text, 'p256'::text, 'p384'::text]))),
  constraint signing_key_check CHECK ((num_nulls(hour_from, hour_to) <> 1)),
  constraint signing_key_hour_from_check CHECK (((hour_from >= 0) AND (hour_from <= 23))),
  constraint signing_key_hour_to_check CHECK (((hour_to >= 0) AND (hour_to <= 23))),
  constraint signing_key_line CHECK ((((follows_id IS NULL) = (oldest_id IS NULL)) AND ((follows_id IS NULL) = (proof IS NULL)) AND (follows_id IS DISTINCT FROM id) AND (oldest_id IS DISTINCT FROM id))),
  constraint signing_key_origin_check CHECK ((origin = ANY (ARRAY['generated'::text, 'imported'::text]))),
  constraint signing_key_remains_check CHECK ((remains = ANY (ARRAY['waits'::text, 'elsewhere'::text, 'kept'::text, 'forgotten'::text]))),
  constraint signing_key_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'active'::text, 'suspended'::text, 'retired'::text, 'destroyed'::text])))
);
alter table signing_key enable row level security;

create table signing_making (
  id bigint generated always as identity,
  sealed bytea not null,
  created_at timestamp with time zone default now() not null,
  tried_at timestamp with time zone,
  constraint signing_making_pkey PRIMARY KEY (id)
);

create table signing_profile (
  id bigint generated always as identity,
  name text not null,
  kind text not null,
  product_ids bigint[] default '{}'::bigint[] not null,
  root text default ''::text not null,
  root_subject text default ''::text not null,
  root_sha256 text default ''::text not null,
  key_id bigint,
  remark text default ''::text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_by text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  time_url text default ''::text not null,
  time_root text default ''::text not null,
  time_subject text default ''::text not null,
  certificates text default ''::text not null,
  signer_subject text default ''::text not null,
  signer_sha256 text default ''::text not null,
  signer_ends timestamp with time zone,
  warned_end timestamp with time zone,
  warned_days integer,
  constraint signing_profile_pkey PRIMARY KEY (id),
  constraint signing_profile_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint signing_profile_key_id_fkey FOREIGN KEY (key_id) REFERENCES signing_key(id),
  constraint signing_profile_kind_check CHECK ((kind = ANY (ARRAY['none'::text, 'chain'::text, 'cms'::text, 'external'::text])))
);
alter table signing_profile enable row level security;

create table signing_secret (
  key_id bigint not null,
  sealed bytea not null,
  tried_at timestamp with time zone,
  tries integer default 0 not null,
  constraint signing_secret_pkey PRIMARY KEY (key_id),
  constraint signing_secret_key_id_fkey FOREIGN KEY (key_id) REFERENCES signing_key(id) ON DELETE CASCADE
);

create table signing_store (
  id bigint generated always as identity,
  name text not null,
  remark text default ''::text not null,
  dept_id bigint not null,
  dept_path text collate "C" not null,
  created_by text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  kind text default 'software'::text not null,
  token_away_since timestamp with time zone,
  constraint signing_store_pkey PRIMARY KEY (id),
  constraint signing_store_dept_id_fkey FOREIGN KEY (dept_id) REFERENCES org_dept(id),
  constraint signing_store_kind_check CHECK ((kind = ANY (ARRAY['software'::text, 'token'::text])))
);
alter table signing_store enable row level security;

create table state_change (
  id bigint generated always as identity,
  at timestamp with time zone default now() not null,
  life text not null,
  row_id bigint not null,
  event text not null,
  from_state text,
  to_state text not null,
  actor_id bigint,
  dept_path text collate "C" not null,
  detail jsonb,
  constraint state_change_pkey PRIMARY KEY (id, at)
) partition by RANGE (at);
alter table state_change enable row level security;

create table state_change_default partition of state_change DEFAULT;
alter table state_change_default enable row level security;

create table stats_change (
  dept_path text collate "C" not null,
  product_id bigint not null,
  measure text not null,
  detail text not null,
  at timestamp with time zone,
  n bigint not null
);
alter table stats_change enable row level security;

create table stats_day (
  dept_path text collate "C" not null,
  measure text not null,
  day date not null,
  product_id bigint not null,
  detail text not null,
  n bigint not null,
  constraint stats_day_pkey PRIMARY KEY (dept_path, measure, day, product_id, detail)
);
alter table stats_day enable row level security;

create table stats_hour (
  dept_path text collate "C" not null,
  measure text not null,
  at timestamp with time zone not null,
  product_id bigint not null,
  detail text not null,
  n bigint not null,
  constraint stats_hour_pkey PRIMARY KEY (dept_path, measure, at, product_id, detail)
);
alter table stats_hour enable row level security;

create table stats_now (
  dept_path text collate "C" not null,
  measure text not null,
  product_id bigint not null,
  detail text not null,
  n bigint not null,
  constraint stats_now_pkey PRIMARY KEY (dept_path, measure, product_id, detail)
) with (fillfactor=70);
alter table stats_now enable row level security;

create table stats_sample (
  at timestamp with time zone not null,
  constraint stats_sample_pkey PRIMARY KEY (at)
);

create table work (
  id bigint generated always as identity,
  kind text not null,
  name text not null,
  params jsonb default '{}'::jsonb not null,
  state text not null,
  total bigint,
  done bigint default 0 not null,
  failed bigint default 0 not null,
  failures jsonb default '[]'::jsonb not null,
  reason text,
  file_id bigint,
  file_name text,
  file_size bigint,
  downloaded boolean default false not null,
  user_id bigint not null,
  dept_path text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  expires_at timestamp with time zone,
  token_id bigint,
  constraint work_pkey PRIMARY KEY (id)
);
alter table work enable row level security;

-- Views

create view firmware_package with (security_invoker=true) as
 SELECT id,
    product_id,
    version,
    kind,
    base,
    file_id,
    file_name,
    size,
    sha256,
    md5,
    note,
    publish_state,
    key_id,
    signature,
    dept_id,
    dept_path,
    created_by,
    created_by_name,
    created_at,
    full_sha256,
    full_size,
    deleted_at
   FROM rollout_package
  WHERE (content = 'firmware'::text);

-- Indexes

CREATE INDEX access_grant_review_dept ON public.access_grant_review USING btree (dept_path);
CREATE INDEX access_grant_review_from ON public.access_grant_review USING btree (counted_from, id);
CREATE UNIQUE INDEX access_grant_review_once ON public.access_grant_review USING btree (kind, subject_id, COALESCE(user_id, (0)::bigint)) WHERE (state <> 'withdrawn'::text);
CREATE INDEX access_grant_review_open ON public.access_grant_review USING btree (state) WHERE (state = ANY (ARRAY['due'::text, 'overdue'::text]));
CREATE INDEX access_grant_review_user ON public.access_grant_review USING btree (user_id);
CREATE INDEX access_managed_dept_dept ON public.access_managed_dept USING btree (dept_id);
CREATE UNIQUE INDEX access_role_name ON public.access_role USING btree (dept_id, lower(name));
CREATE INDEX access_user_role_role ON public.access_user_role USING btree (role_id);
CREATE INDEX account_api_token_user ON public.account_api_token USING btree (user_id, created_at DESC);
CREATE INDEX account_given_at ON public.account_given USING btree (at);
CREATE INDEX account_given_user ON public.account_given USING btree (user_id, at);
CREATE INDEX account_invite_created ON public.account_invite USING btree (created_at DESC, id DESC);
CREATE INDEX account_invite_dept ON public.account_invite USING btree (dept_path);
CREATE INDEX account_invite_due ON public.account_invite USING btree (expires_at) WHERE (state = 'open'::text);
CREATE INDEX account_passkey_user ON public.account_passkey USING btree (user_id);
CREATE INDEX account_password_history_user ON public.account_password_history USING btree (user_id, id DESC);
CREATE INDEX account_real_name_due ON public.account_real_name USING btree (valid_until) WHERE (state = ANY (ARRAY['1'::text, '2'::text, '7'::text]));
CREATE INDEX account_real_name_org ON public.account_real_name USING btree (dept_id) WHERE (kind = 'org'::text);
CREATE INDEX account_real_name_waiting ON public.account_real_name USING btree (asked_at) WHERE (state = ANY (ARRAY['3'::text, '6'::text]));
CREATE INDEX account_real_name_picture_blob ON public.account_real_name_picture USING btree (sha256);
CREATE INDEX account_real_name_picture_request ON public.account_real_name_picture USING btree (request_id);
CREATE INDEX account_real_name_picture_user ON public.account_real_name_picture USING btree (user_id) WHERE (request_id IS NULL);
CREATE INDEX account_real_name_request_created ON public.account_real_name_request USING btree (created_at DESC, id DESC);
CREATE INDEX account_real_name_request_user ON public.account_real_name_request USING btree (user_id, id DESC);
CREATE UNIQUE INDEX account_real_name_request_waiting ON public.account_real_name_request USING btree (user_id) WHERE (outcome = 'waiting'::text);
CREATE UNIQUE INDEX account_user_account ON public.account_user USING btree (lower(account));
CREATE INDEX account_user_dept ON public.account_user USING btree (dept_path);
CREATE UNIQUE INDEX account_user_email ON public.account_user USING btree (lower(email)) WHERE (email IS NOT NULL);
CREATE INDEX account_user_joining ON public.account_user USING btree (dept_path) WHERE (state = 'joining'::text);
CREATE INDEX account_user_locked ON public.account_user USING btree (locked_until) WHERE (locked_until IS NOT NULL);
CREATE UNIQUE INDEX account_user_mobile ON public.account_user USING btree (mobile) WHERE (mobile IS NOT NULL);
CREATE INDEX account_user_part ON public.account_user USING gin (account gin_trgm_ops, name gin_trgm_ops);
CREATE INDEX alert_alarm_closed ON public.alert_alarm USING btree (closed_at) WHERE (state = 'closed'::text);
CREATE INDEX alert_alarm_current ON public.alert_alarm USING btree (dept_path, opened_at, id) WHERE (state <> 'closed'::text);
CREATE INDEX alert_alarm_dept ON public.alert_alarm USING btree (dept_id, opened_at, id);
CREATE INDEX alert_alarm_device ON public.alert_alarm USING btree (device_id, opened_at, id);
CREATE INDEX alert_alarm_escalate ON public.alert_alarm USING btree (escalate_at) WHERE (escalate_at IS NOT NULL);
CREATE INDEX alert_alarm_kind ON public.alert_alarm USING btree (dept_path, kind, opened_at, id);
CREATE INDEX alert_alarm_last ON public.alert_alarm USING btree (dept_path, last_at, id);
CREATE INDEX alert_alarm_latest ON public.alert_alarm USING btree (last_at, id) INCLUDE (dept_path);
CREATE INDEX alert_alarm_newest ON public.alert_alarm USING btree (opened_at, id) INCLUDE (dept_path);
CREATE UNIQUE INDEX alert_alarm_open ON public.alert_alarm USING btree (rule_id, subject) WHERE (state <> 'closed'::text);
CREATE INDEX alert_alarm_opened ON public.alert_alarm USING btree (dept_path, opened_at, id);
CREATE INDEX alert_alarm_priority ON public.alert_alarm USING btree (dept_path, priority, opened_at, id);
CREATE INDEX alert_alarm_product ON public.alert_alarm USING btree (product_id, opened_at, id);
CREATE INDEX alert_alarm_quiet ON public.alert_alarm USING btree (device_id) WHERE quiet;
CREATE INDEX alert_alarm_rule ON public.alert_alarm USING btree (rule_id, opened_at, id);
CREATE INDEX alert_alarm_search ON public.alert_alarm USING gin (label gin_trgm_ops, rule_name gin_trgm_ops);
CREATE INDEX alert_alarm_state ON public.alert_alarm USING btree (dept_path, state, opened_at, id);
CREATE INDEX alert_alarm_tell ON public.alert_alarm USING btree (tell_at) WHERE (tell_at IS NOT NULL);
CREATE INDEX alert_alarm_watched ON public.alert_alarm USING btree (device_id) WHERE (state <> 'closed'::text);
CREATE INDEX alert_held_due ON public.alert_held USING btree (due_at);
CREATE UNIQUE INDEX alert_held_one ON public.alert_held USING btree (rule_id, user_id, email) NULLS NOT DISTINCT;
CREATE INDEX alert_lost_below ON public.alert_lost USING btree (dept_path, minute) INCLUDE (n);
CREATE INDEX alert_lost_minute ON public.alert_lost USING btree (minute);
CREATE INDEX alert_mute_until ON public.alert_mute USING btree (until);
CREATE INDEX alert_pending_rule ON public.alert_pending USING btree (rule_id);
CREATE INDEX alert_receiver_created ON public.alert_receiver USING btree (dept_path, created_at, id);
CREATE INDEX alert_receiver_name ON public.alert_receiver USING btree (dept_path, name, id);
CREATE INDEX alert_receiver_search ON public.alert_receiver USING gin (name gin_trgm_ops);
CREATE UNIQUE INDEX alert_receiver_taken ON public.alert_receiver USING btree (dept_id, lower(name));
CREATE INDEX alert_rule_created ON public.alert_rule USING btree (dept_path, created_at, id);
CREATE INDEX alert_rule_dept ON public.alert_rule USING btree (dept_id, name, id);
CREATE INDEX alert_rule_enabled ON public.alert_rule USING btree (dept_path, enabled, name, id);
CREATE INDEX alert_rule_escalates ON public.alert_rule USING gin (escalate_ids);
CREATE INDEX alert_rule_kind ON public.alert_rule USING btree (dept_path, kind, name, id);
CREATE INDEX alert_rule_name ON public.alert_rule USING btree (dept_path, name, id);
CREATE INDEX alert_rule_priority ON public.alert_rule USING btree (dept_path, priority, name, id);
CREATE INDEX alert_rule_receivers ON public.alert_rule USING gin (receiver_ids);
CREATE INDEX alert_rule_search ON public.alert_rule USING gin (name gin_trgm_ops);
CREATE UNIQUE INDEX alert_rule_taken ON public.alert_rule USING btree (dept_id, lower(name)) WHERE (kind <> 'geofence'::text);
CREATE INDEX alert_rule_watched ON public.alert_rule USING btree (kind, dept_path) WHERE enabled;
CREATE INDEX alert_tally_all ON public.alert_tally USING btree (day) INCLUDE (dept_path);
CREATE INDEX alert_tally_day ON public.alert_tally USING btree (dept_path, day);
CREATE INDEX app_app_dept ON public.app_app USING btree (dept_id, id);
CREATE INDEX app_app_icon ON public.app_app USING btree (icon_id);
CREATE INDEX app_app_list ON public.app_app USING btree (dept_path, updated_at, id);
CREATE INDEX app_app_package ON public.app_app USING btree (package_name);
CREATE INDEX app_app_search ON public.app_app USING gin (name gin_trgm_ops, package_name gin_trgm_ops);
CREATE UNIQUE INDEX app_app_taken ON public.app_app USING btree (dept_id, package_name) WHERE ((deleted_at IS NULL) AND (NOT twin));
CREATE INDEX app_developer_dept ON public.app_developer USING btree (dept_id, id);
CREATE INDEX app_developer_list ON public.app_developer USING btree (dept_path, applied_at, id);
CREATE INDEX app_developer_waiting ON public.app_developer USING btree (dept_path) WHERE (state = 'applied'::text);
CREATE INDEX app_sdk_file ON public.app_sdk USING btree (file_id);
CREATE INDEX app_sdk_list ON public.app_sdk USING btree (dept_path, created_at, id);
CREATE INDEX app_sdk_product ON public.app_sdk USING btree (product_id);
CREATE UNIQUE INDEX app_sdk_taken ON public.app_sdk USING btree (dept_id, product_id, name, version);
CREATE INDEX app_subscription_app ON public.app_subscription USING btree (app_id, state);
CREATE INDEX app_subscription_dept ON public.app_subscription USING btree (dept_id, created_at, id);
CREATE INDEX app_subscription_ends ON public.app_subscription USING btree (valid_until) WHERE ((state = 'active'::text) AND (valid_until IS NOT NULL));
CREATE INDEX app_subscription_list ON public.app_subscription USING btree (dept_path, created_at, id);
CREATE INDEX app_subscription_owner ON public.app_subscription USING btree (owner_path, created_at, id);
CREATE INDEX app_subscription_search ON public.app_subscription USING gin (app_name gin_trgm_ops, package_name gin_trgm_ops, dept_name gin_trgm_ops);
CREATE UNIQUE INDEX app_subscription_taken ON public.app_subscription USING btree (dept_id, app_id) WHERE (state = ANY (ARRAY['asked'::text, 'active'::text]));
CREATE INDEX app_subscription_version ON public.app_subscription USING btree (version_id) WHERE (version_id IS NOT NULL);
CREATE INDEX app_version_app ON public.app_version USING btree (app_id, created_at, id);
CREATE INDEX app_version_audit ON public.app_version USING btree (dept_path, audit_result, created_at, id);
CREATE INDEX app_version_certificates ON public.app_version USING btree (id) WHERE ((certificates IS NULL) AND (deleted_at IS NULL));
CREATE INDEX app_version_channel ON public.app_version USING btree (dept_path, channel, created_at, id);
CREATE INDEX app_version_code ON public.app_version USING btree (dept_path, version_code, id);
CREATE INDEX app_version_dept_id ON public.app_version USING btree (dept_id, created_at, id);
CREATE INDEX app_version_icon ON public.app_version USING btree (icon_id);
CREATE INDEX app_version_list ON public.app_version USING btree (dept_path, created_at, id);
CREATE INDEX app_version_market ON public.app_version USING btree (market_id) WHERE (market_id IS NOT NULL);
CREATE INDEX app_version_name_code ON public.app_version USING btree (package_name, version_code);
CREATE INDEX app_version_newest ON public.app_version USING btree (created_at, id) INCLUDE (dept_path);
CREATE INDEX app_version_package ON public.app_version USING btree (file_id);
CREATE INDEX app_version_partly ON public.app_version USING btree (id) WHERE (publish_state = '3'::text);
CREATE INDEX app_version_publish ON public.app_version USING btree (dept_path, publish_state, created_at, id);
CREATE INDEX app_version_publishing ON public.app_version USING btree (publish_at) WHERE (publish_at IS NOT NULL);
CREATE INDEX app_version_search ON public.app_version USING gin (package_name gin_trgm_ops, version_name gin_trgm_ops);
CREATE INDEX app_version_state ON public.app_version USING btree (dept_path, review_state, created_at, id);
CREATE INDEX app_version_submitted ON public.app_version USING btree (dept_path, submitted_at, id);
CREATE UNIQUE INDEX app_version_taken ON public.app_version USING btree (app_id, version_code) WHERE (deleted_at IS NULL);
CREATE INDEX app_version_waiting ON public.app_version USING btree (dept_path) WHERE ((review_state = '1'::text) AND (deleted_at IS NULL));
CREATE INDEX app_version_dept_dept ON public.app_version_dept USING btree (dept_id);
CREATE INDEX app_version_dept_of ON public.app_version_dept USING btree (version_id, dept_id);
CREATE INDEX app_version_dept_path ON public.app_version_dept USING btree (dept_path);
CREATE INDEX app_version_file_dept ON public.app_version_file USING btree (dept_path);
CREATE INDEX app_version_file_file ON public.app_version_file USING btree (file_id);
CREATE INDEX app_version_product_dept ON public.app_version_product USING btree (dept_path);
CREATE INDEX app_version_product_of ON public.app_version_product USING btree (product_id);
CREATE INDEX app_version_sn_dept ON public.app_version_sn USING btree (dept_path);
CREATE INDEX approval_absence_delegate ON public.approval_absence USING btree (delegate_id, until_at) WHERE (ended_at IS NULL);
CREATE INDEX approval_absence_over ON public.approval_absence USING btree (LEAST(until_at, ended_at));
CREATE INDEX approval_absence_user ON public.approval_absence USING btree (user_id, until_at) WHERE (ended_at IS NULL);
CREATE INDEX approval_application_audit ON public.approval_application USING btree (audit_id, id DESC);
CREATE INDEX approval_audit_asked ON public.approval_audit USING btree (asked_at) WHERE ((step = ANY (ARRAY['11'::text, '12'::text, '13'::text, '14'::text, '21'::text, '22'::text, '23'::text, '24'::text, '31'::text, '32'::text, '33'::text, '34'::text])) AND (NOT ((step = '34'::text) AND (result = '1'::text))));
CREATE INDEX approval_audit_due ON public.approval_audit USING btree (due_at, id) WHERE ((due_at IS NOT NULL) AND (late_at IS NULL));
CREATE INDEX approval_audit_list ON public.approval_audit USING btree (task_type, step_at DESC, id);
CREATE INDEX approval_audit_open ON public.approval_audit USING btree (task_type, step, dept_path) WHERE ((step <> '51'::text) AND (NOT ((step = '34'::text) AND (result = '1'::text))));
CREATE INDEX approval_audit_overdue ON public.approval_audit USING btree (task_type, due_at) WHERE (due_at IS NOT NULL);
CREATE UNIQUE INDEX approval_audit_task ON public.approval_audit USING btree (task_type, task_id);
CREATE INDEX approval_audit_warn ON public.approval_audit USING btree (warn_at, id) WHERE (warn_at IS NOT NULL);
CREATE UNIQUE INDEX approval_config_dept_id ON public.approval_config USING btree (dept_id, task_type);
CREATE INDEX approval_config_path ON public.approval_config USING btree (dept_path, task_type);
CREATE INDEX approval_file_file ON public.approval_file USING btree (file_id);
CREATE INDEX approval_record_actor ON public.approval_record USING btree (actor_path);
CREATE INDEX approval_record_audit ON public.approval_record USING btree (audit_id, id);
CREATE INDEX approval_sign_audit ON public.approval_sign USING btree (audit_id);
CREATE INDEX approval_sign_expired ON public.approval_sign USING btree (expires_at);
CREATE INDEX audit_entry_actor ON public.audit_entry USING btree (actor_id, at DESC) WHERE (actor_id IS NOT NULL);
CREATE INDEX audit_entry_at ON public.audit_entry USING btree (at DESC);
CREATE INDEX audit_entry_dept ON public.audit_entry USING btree (dept_path, at DESC);
CREATE INDEX audit_entry_request ON public.audit_entry USING btree (request_id);
CREATE INDEX audit_entry_unsealed ON public.audit_entry USING btree (id) WHERE (seal_no IS NULL);
CREATE INDEX audit_visit_at ON public.audit_visit USING btree (at);
CREATE INDEX audit_visit_user ON public.audit_visit USING btree (user_id, at DESC);
CREATE INDEX auth_session_family ON public.auth_session USING btree (family) WHERE ((family IS NOT NULL) AND (ended_at IS NULL));
CREATE INDEX auth_session_opened ON public.auth_session USING btree (user_id, id DESC) WHERE (ended_at IS NULL);
CREATE INDEX auth_session_person ON public.auth_session USING btree (user_id, id DESC);
CREATE INDEX auth_session_seen ON public.auth_session USING btree (seen_at DESC, id DESC) WHERE (ended_at IS NULL);
CREATE INDEX auth_session_user ON public.auth_session USING btree (user_id) WHERE (ended_at IS NULL);
CREATE INDEX customer_hour_path ON public.customer_hour USING btree (dept_path);
CREATE INDEX customer_iot_begun ON public.customer_iot USING btree (dept_path) WHERE (state <> 'draft'::text);
CREATE INDEX customer_iot_list ON public.customer_iot USING btree (dept_path, created_at, id);
CREATE UNIQUE INDEX customer_iot_name ON public.customer_iot USING btree (dept_id, lower(name));
CREATE INDEX customer_message_fate ON public.customer_message USING btree (dept_path, fate, at, id);
CREATE INDEX customer_message_list ON public.customer_message USING btree (dept_path, at, id);
CREATE INDEX customer_message_newest ON public.customer_message USING btree (at, id) INCLUDE (dept_path);
CREATE INDEX customer_message_of ON public.customer_message USING btree (customer_id, at, id);
CREATE INDEX customer_message_search ON public.customer_message USING gin (sn gin_trgm_ops);
CREATE INDEX customer_message_terminal ON public.customer_message USING btree (customer_id, sn, id) WHERE (fate = 'waiting'::text);
CREATE INDEX customer_message_waiting ON public.customer_message USING btree (customer_id, id) WHERE (fate = 'waiting'::text);
CREATE INDEX customer_registration_device ON public.customer_registration USING btree (device_id) WHERE (device_id IS NOT NULL);
CREATE INDEX customer_registration_due ON public.customer_registration USING btree (customer_id, next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX customer_registration_list ON public.customer_registration USING btree (dept_path, created_at, id);
CREATE INDEX customer_registration_looks ON public.customer_registration USING btree (look_at) WHERE (look_at IS NOT NULL);
CREATE INDEX customer_registration_newest ON public.customer_registration USING btree (created_at, id) INCLUDE (dept_path);
CREATE INDEX customer_registration_of ON public.customer_registration USING btree (customer_id, state, created_at, id);
CREATE UNIQUE INDEX customer_registration_pair ON public.customer_registration USING btree (customer_id, sn);
CREATE INDEX customer_registration_policy ON public.customer_registration USING btree (customer_id, policy, id) WHERE (state = 'registered'::text);
CREATE INDEX customer_registration_product ON public.customer_registration USING btree (product_id, created_at, id);
CREATE INDEX customer_registration_search ON public.customer_registration USING gin (sn gin_trgm_ops);
CREATE INDEX customer_registration_sn ON public.customer_registration USING btree (sn, id) INCLUDE (dept_path);
CREATE INDEX customer_registration_sns ON public.customer_registration USING btree (dept_path, sn, id);
CREATE INDEX customer_registration_state ON public.customer_registration USING btree (dept_path, state, created_at, id);
CREATE INDEX customer_sequence_device ON public.customer_sequence USING btree (device_id);
CREATE INDEX desktop_advert_bytes ON public.desktop_advert USING btree (archive_sha256);
CREATE UNIQUE INDEX desktop_advert_line ON public.desktop_advert USING btree (line_id, number);
CREATE INDEX desktop_advert_list ON public.desktop_advert USING btree (dept_path, created_at, id);
CREATE UNIQUE INDEX desktop_advert_next ON public.desktop_advert USING btree (line_id) WHERE (state = 'draft'::text);
CREATE INDEX desktop_advert_product ON public.desktop_advert USING btree (product_id);
CREATE INDEX desktop_advert_version ON public.desktop_advert USING btree (version) WHERE (version <> ''::text);
CREATE INDEX desktop_customization_bytes ON public.desktop_customization USING btree (archive_sha256);
CREATE UNIQUE INDEX desktop_customization_line ON public.desktop_customization USING btree (line_id, number);
CREATE INDEX desktop_customization_list ON public.desktop_customization USING btree (dept_path, created_at, id);
CREATE UNIQUE INDEX desktop_customization_next ON public.desktop_customization USING btree (line_id) WHERE (state = 'draft'::text);
CREATE INDEX desktop_customization_product ON public.desktop_customization USING btree (product_id);
CREATE INDEX desktop_customization_version ON public.desktop_customization USING btree (version) WHERE (version <> ''::text);
CREATE INDEX desktop_desktop_bytes ON public.desktop_desktop USING btree (archive_sha256);
CREATE UNIQUE INDEX desktop_desktop_line ON public.desktop_desktop USING btree (line_id, number);
CREATE INDEX desktop_desktop_list ON public.desktop_desktop USING btree (dept_path, created_at, id);
CREATE UNIQUE INDEX desktop_desktop_next ON public.desktop_desktop USING btree (line_id) WHERE (state = 'draft'::text);
CREATE INDEX desktop_desktop_product ON public.desktop_desktop USING btree (product_id);
CREATE INDEX desktop_desktop_version ON public.desktop_desktop USING btree (version) WHERE (version <> ''::text);
CREATE UNIQUE INDEX desktop_file_advert ON public.desktop_file USING btree (advert_id, file_id) WHERE (advert_id IS NOT NULL);
CREATE UNIQUE INDEX desktop_file_customization ON public.desktop_file USING btree (customization_id, file_id) WHERE (customization_id IS NOT NULL);
CREATE UNIQUE INDEX desktop_file_desktop ON public.desktop_file USING btree (desktop_id, file_id) WHERE (desktop_id IS NOT NULL);
CREATE INDEX desktop_file_file ON public.desktop_file USING btree (file_id);
CREATE INDEX device_created ON public.device USING btree (created_at, id) INCLUDE (dept_path, deleted_at);
CREATE INDEX device_deleted ON public.device USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX device_dept ON public.device USING btree (dept_path, created_at) INCLUDE (id, deleted_at, sn, name);
CREATE INDEX device_firmware ON public.device USING btree (product_id, firmware, dept_path) WHERE (deleted_at IS NULL);
CREATE INDEX device_iccid ON public.device USING btree (upper(iccid) text_pattern_ops) WHERE (iccid IS NOT NULL);
CREATE INDEX device_imei ON public.device USING btree (imei text_pattern_ops) WHERE (imei IS NOT NULL);
CREATE INDEX device_mac ON public.device USING btree (upper(translate(mac, ':-.'::text, ''::text)) text_pattern_ops) WHERE (mac IS NOT NULL);
CREATE INDEX device_merchant ON public.device USING btree (merchant_id, created_at, id) WHERE (merchant_id IS NOT NULL);
CREATE INDEX device_name ON public.device USING btree (name, id) INCLUDE (dept_path, deleted_at);
CREATE INDEX device_of_dept ON public.device USING btree (dept_id, created_at, id);
CREATE INDEX device_of_product ON public.device USING btree (product_id, status, created_at, id);
CREATE INDEX device_patch ON public.device USING btree (product_id, patch, dept_path) WHERE ((deleted_at IS NULL) AND (patch IS NOT NULL));
CREATE INDEX device_pn ON public.device USING btree (upper(pn) text_pattern_ops) WHERE (pn IS NOT NULL);
CREATE INDEX device_search ON public.device USING gin (sn gin_trgm_ops, name gin_trgm_ops);
CREATE INDEX device_shop ON public.device USING btree (shop_id, created_at, id) WHERE (shop_id IS NOT NULL);
CREATE UNIQUE INDEX device_sn ON public.device USING btree (sn) INCLUDE (id, dept_path, deleted_at);
CREATE INDEX device_tags ON public.device USING gin (tags);
CREATE INDEX device_test_terminal ON public.device USING btree (dept_path, created_at, id) WHERE (test_terminal AND (deleted_at IS NULL));
CREATE INDEX device_app_version ON public.device_app USING btree (package_name, dept_path, version_code);
CREATE INDEX device_attention_kind ON public.device_attention USING btree (kind, dept_path, device_id);
CREATE INDEX device_contact_at ON public.device_contact USING btree (at) INCLUDE (dept_path, came, product_id);
CREATE INDEX device_contact_dept ON public.device_contact USING btree (dept_path, at) INCLUDE (came, product_id);
CREATE INDEX device_credential_device ON public.device_credential USING btree (device_id);
CREATE INDEX device_credential_expires ON public.device_credential USING btree (expires_at);
CREATE INDEX device_credential_revoked ON public.device_credential USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);
CREATE INDEX device_custody_dept ON public.device_custody USING btree (dept_path);
CREATE INDEX device_custody_device ON public.device_custody USING btree (device_id, id);
CREATE INDEX device_double_dept ON public.device_double USING btree (dept_path, kind, device_id);
CREATE INDEX device_double_value ON public.device_double USING btree (kind, value, dept_path, device_id);
CREATE INDEX device_enrol_code_dept ON public.device_enrol_code USING btree (dept_path, created_at);
CREATE INDEX device_enrol_code_of ON public.device_enrol_code USING btree (dept_id, created_at, id);
CREATE INDEX device_event_device ON ONLY public.device_event USING btree (device_id, at DESC);
CREATE INDEX device_event_named ON ONLY public.device_event USING btree (device_id, name, at, id);
CREATE INDEX device_factory_dept ON public.device_factory USING btree (dept_path, created_at);
CREATE INDEX device_failure_alarm ON public.device_failure USING btree (alarm_id) WHERE (alarm_id IS NOT NULL);
CREATE INDEX device_failure_cell ON public.device_failure USING btree (cell, day);
CREATE INDEX device_failure_day ON public.device_failure USING btree (day);
CREATE INDEX device_failure_dept ON public.device_failure USING btree (dept_path, cell, day);
CREATE INDEX device_failure_device ON public.device_failure USING btree (device_id, day);
CREATE INDEX device_failure_change_dept ON public.device_failure_change USING btree (dept_path);
CREATE INDEX device_gone_expires ON public.device_gone USING btree (expires_at);
CREATE INDEX device_group_created ON public.device_group USING btree (dept_path, created_at, id);
CREATE INDEX device_group_kind ON public.device_group USING btree (dept_path, kind, name, id);
CREATE INDEX device_group_list ON public.device_group USING btree (dept_path, name, id);
CREATE UNIQUE INDEX device_group_name ON public.device_group USING btree (dept_id, lower(name));
CREATE INDEX device_group_search ON public.device_group USING gin (name gin_trgm_ops);
CREATE UNIQUE INDEX device_group_member_device ON public.device_group_member USING btree (device_id, group_id);
CREATE INDEX device_group_tally_group ON public.device_group_tally USING btree (group_id);
CREATE INDEX device_log_hour_old ON public.device_log_hour USING btree (hour);
CREATE INDEX device_log_line_dept ON ONLY public.device_log_line USING btree (dept_path, at DESC);
CREATE INDEX device_log_line_device ON ONLY public.device_log_line USING btree (device_id, at DESC, id DESC);
CREATE INDEX device_log_pull_device ON public.device_log_pull USING btree (device_id);
CREATE INDEX device_map_change_dept ON public.device_map_change USING btree (dept_path);
CREATE INDEX device_pending_dept ON public.device_pending USING btree (dept_path, state);
CREATE INDEX device_pending_home ON public.device_pending USING btree (home, first_at);
CREATE INDEX device_pending_key ON public.device_pending USING btree (key_hash);
CREATE INDEX device_pending_last ON public.device_pending USING btree (last_at, id);
CREATE INDEX device_place_cell ON public.device_place USING btree (cell) WHERE (cell IS NOT NULL);
CREATE INDEX device_place_dept ON public.device_place USING btree (dept_path, cell);
CREATE INDEX device_tally_dept ON public.device_tally USING btree (dept_path);
CREATE INDEX file_built_recent ON public.file_built USING btree (built_at);
CREATE INDEX file_direct_mine ON public.file_direct USING btree (user_id);
CREATE INDEX file_file_blob ON public.file_file USING btree (sha256);
CREATE INDEX file_file_expiry ON public.file_file USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX file_file_list ON public.file_file USING btree (created_at, id);
CREATE INDEX file_file_mine ON public.file_file USING btree (user_id, md5, kind);
CREATE INDEX file_file_of_dept ON public.file_file USING btree (dept_path, created_at, id);
CREATE INDEX file_file_of_dept_size ON public.file_file USING btree (dept_path, size, id);
CREATE INDEX file_file_of_person ON public.file_file USING btree (user_id, created_at, id);
CREATE INDEX file_file_recent ON public.file_file USING btree (created_at) WHERE (expires_at IS NULL);
CREATE INDEX file_file_search ON public.file_file USING gin (name gin_trgm_ops);
CREATE INDEX file_file_size ON public.file_file USING btree (size, id);
CREATE INDEX file_file_unused ON public.file_file USING btree (dept_path, kind) INCLUDE (size, unused_since) WHERE (unused_since IS NOT NULL);
CREATE INDEX file_quota_by ON public.file_quota USING btree (by_dept);
CREATE INDEX file_upload_file ON public.file_upload USING btree (file_id) WHERE (file_id IS NOT NULL);
CREATE INDEX file_upload_list ON public.file_upload USING btree (created_at, id);
CREATE INDEX file_upload_mine ON public.file_upload USING btree (user_id, identifier, kind, id);
CREATE INDEX file_upload_of_dept ON public.file_upload USING btree (dept_path, created_at, id);
CREATE INDEX file_upload_of_dept_size ON public.file_upload USING btree (dept_path, size, id);
CREATE INDEX file_upload_of_person ON public.file_upload USING btree (user_id, created_at, id);
CREATE UNIQUE INDEX file_upload_open ON public.file_upload USING btree (user_id, identifier, kind) WHERE (state = ANY (ARRAY['uploading'::text, 'assembling'::text, 'failed'::text]));
CREATE INDEX file_upload_touched ON public.file_upload USING btree (touched_at) WHERE (state <> 'done'::text);
CREATE INDEX file_upload_under_way ON public.file_upload USING btree (dept_path) INCLUDE (size) WHERE (state = ANY (ARRAY['uploading'::text, 'assembling'::text, 'failed'::text]));
CREATE INDEX file_usage_most ON public.file_usage USING btree (bytes, dept_id) WHERE (kind = ''::text);
CREATE INDEX file_usage_change_dept ON public.file_usage_change USING btree (dept_id);
CREATE INDEX gateway_outbox_calls ON public.gateway_outbox USING btree (device_id, (((data -> 'params'::text) ->> 'service'::text)), id) WHERE ((topic = 'command'::text) AND (kind = 'serviceCall'::text));
CREATE INDEX gateway_outbox_commands ON public.gateway_outbox USING btree (device_id, created_at, id) WHERE (topic = 'command'::text);
CREATE INDEX gateway_outbox_due ON public.gateway_outbox USING btree (next_at) WHERE ((state = ANY (ARRAY['waiting'::text, 'sent'::text])) AND (next_at < 'infinity'::timestamp with time zone));
CREATE INDEX gateway_outbox_expiry ON public.gateway_outbox USING btree (expires_at) WHERE (state = ANY (ARRAY['waiting'::text, 'sent'::text]));
CREATE INDEX gateway_outbox_log_pulls ON public.gateway_outbox USING btree (created_at, id) WHERE ((topic = 'command'::text) AND (kind = 'logPull'::text));
CREATE INDEX gateway_outbox_parked ON public.gateway_outbox USING btree (device_id) WHERE (state = ANY (ARRAY['waiting'::text, 'sent'::text]));
CREATE INDEX gateway_outbox_things ON public.gateway_outbox USING btree (device_id, kind, id) WHERE ((topic = 'command'::text) AND (kind = ANY (ARRAY['propertySet'::text, 'propertyGet'::text, 'serviceCall'::text])));
CREATE INDEX gateway_outbox_young ON public.gateway_outbox USING btree (created_at) WHERE ((next_at = 'infinity'::timestamp with time zone) AND (state = ANY (ARRAY['waiting'::text, 'sent'::text])));
CREATE INDEX gateway_recent_at ON public.gateway_recent USING btree (at);
CREATE INDEX gateway_refused_at ON public.gateway_refused USING btree (at);
CREATE INDEX geofence_created ON public.geofence USING btree (dept_path, created_at, id);
CREATE INDEX geofence_devices ON public.geofence USING gin (device_ids);
CREATE INDEX geofence_enabled ON public.geofence USING btree (dept_path, enabled, name, id);
CREATE INDEX geofence_groups ON public.geofence USING gin (group_ids);
CREATE INDEX geofence_name ON public.geofence USING btree (dept_path, name, id);
CREATE UNIQUE INDEX geofence_rule ON public.geofence USING btree (rule_id);
CREATE INDEX geofence_search ON public.geofence USING gin (name gin_trgm_ops);
CREATE INDEX geofence_shape ON public.geofence USING btree (dept_path, shape, name, id);
CREATE INDEX geofence_shops ON public.geofence USING btree (id) WHERE (shape = 'shop'::text);
CREATE UNIQUE INDEX geofence_taken ON public.geofence USING btree (dept_id, lower(name));
CREATE INDEX geofence_watched ON public.geofence USING btree (id) WHERE enabled;
CREATE INDEX geofence_state_due ON public.geofence_state USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX geofence_state_fence ON public.geofence_state USING btree (fence_id, state);
CREATE INDEX geofence_tally_fence ON public.geofence_tally USING btree (fence_id);
CREATE INDEX hardware_test_created ON public.hardware_test USING btree (created_at, id);
CREATE INDEX hardware_test_dept ON public.hardware_test USING btree (dept_id, created_at);
CREATE INDEX hardware_test_dept_created ON public.hardware_test USING btree (dept_path, created_at);
CREATE INDEX hardware_test_device ON public.hardware_test USING btree (device_id, created_at DESC);
CREATE INDEX hardware_test_expiry ON public.hardware_test USING btree (expires_at) WHERE (state = ANY (ARRAY['requested'::text, 'running'::text]));
CREATE INDEX hardware_test_failed ON public.hardware_test USING gin (failed_parts) WHERE (failed_parts <> '{}'::text[]);
CREATE UNIQUE INDEX hardware_test_open ON public.hardware_test USING btree (device_id) WHERE (state = ANY (ARRAY['requested'::text, 'running'::text]));
CREATE INDEX hardware_test_product ON public.hardware_test USING btree (product_id, created_at);
CREATE INDEX hardware_test_search ON public.hardware_test USING gin (sn gin_trgm_ops);
CREATE INDEX hardware_test_state ON public.hardware_test USING btree (dept_path, state, created_at);
CREATE INDEX help_article_category ON public.help_article USING btree (category_id);
CREATE UNIQUE INDEX help_article_key ON public.help_article USING btree (key);
CREATE INDEX help_article_words ON public.help_article USING gin (words gin_trgm_ops, words_zh gin_trgm_ops);
CREATE INDEX help_category_parent ON public.help_category USING btree (parent_id);
CREATE INDEX help_file_file ON public.help_file USING btree (file_id);
CREATE INDEX help_vote_said ON public.help_vote USING btree (article_id, voted_at) WHERE (reason <> ''::text);
CREATE INDEX help_vote_user ON public.help_vote USING btree (user_id);
CREATE INDEX http_rate_until ON public.http_rate USING btree (full_until);
CREATE INDEX inventory_arrival_changed ON public.inventory_arrival USING btree (receipt_id, changed_at, id);
CREATE INDEX inventory_arrival_first ON public.inventory_arrival USING btree (sn, id) INCLUDE (dept_path);
CREATE INDEX inventory_arrival_last ON public.inventory_arrival USING btree (dept_path, changed_at, id);
CREATE INDEX inventory_arrival_of ON public.inventory_arrival USING btree (receipt_id, id);
CREATE INDEX inventory_arrival_search ON public.inventory_arrival USING gin (sn gin_trgm_ops);
CREATE INDEX inventory_arrival_sn ON public.inventory_arrival USING btree (receipt_id, sn, id);
CREATE INDEX inventory_arrival_sns ON public.inventory_arrival USING btree (dept_path, sn, id);
CREATE INDEX inventory_arrival_state ON public.inventory_arrival USING btree (receipt_id, state, id);
CREATE INDEX inventory_arrival_states ON public.inventory_arrival USING btree (dept_path, state, sn, id);
CREATE INDEX inventory_count_dept ON public.inventory_count USING btree (dept_id, created_at, id);
CREATE INDEX inventory_count_list ON public.inventory_count USING btree (dept_path, created_at, id);
CREATE INDEX inventory_count_newest ON public.inventory_count USING btree (created_at, id) INCLUDE (dept_path);
CREATE INDEX inventory_count_search ON public.inventory_count USING gin (product_name gin_trgm_ops, by_name gin_trgm_ops, remark gin_trgm_ops);
CREATE INDEX inventory_count_line_first ON public.inventory_count_line USING btree (sn, id) INCLUDE (dept_path);
CREATE INDEX inventory_count_line_of ON public.inventory_count_line USING btree (count_id, id);
CREATE INDEX inventory_count_line_result ON public.inventory_count_line USING btree (count_id, result, sn, id);
CREATE INDEX inventory_count_line_results ON public.inventory_count_line USING btree (dept_path, result, sn, id);
CREATE INDEX inventory_count_line_search ON public.inventory_count_line USING gin (sn gin_trgm_ops);
CREATE INDEX inventory_count_line_sn ON public.inventory_count_line USING btree (count_id, sn, id);
CREATE INDEX inventory_count_line_sns ON public.inventory_count_line USING btree (dept_path, sn, id);
CREATE INDEX inventory_dispatch_first ON public.inventory_dispatch USING btree (number, id) INCLUDE (dept_path);
CREATE INDEX inventory_dispatch_list ON public.inventory_dispatch USING btree (dept_path, created_at, id);
CREATE INDEX inventory_dispatch_newest ON public.inventory_dispatch USING btree (created_at, id) INCLUDE (dept_path);
CREATE UNIQUE INDEX inventory_dispatch_number ON public.inventory_dispatch USING btree (dept_id, lower(number));
CREATE INDEX inventory_dispatch_numbers ON public.inventory_dispatch USING btree (dept_path, number, id);
CREATE INDEX inventory_dispatch_search ON public.inventory_dispatch USING gin (number gin_trgm_ops, to_name gin_trgm_ops, remark gin_trgm_ops);
CREATE INDEX inventory_dispatch_state ON public.inventory_dispatch USING btree (dept_path, state, created_at, id);
CREATE INDEX inventory_dispatch_to ON public.inventory_dispatch USING btree (dept_path, to_id, created_at, id);
CREATE INDEX inventory_entry_dept ON public.inventory_entry USING btree (dept_id, created_at, id);
CREATE INDEX inventory_entry_list ON public.inventory_entry USING btree (dept_path, created_at, id);
CREATE INDEX inventory_entry_newest ON public.inventory_entry USING btree (created_at, id) INCLUDE (dept_path);
CREATE INDEX inventory_entry_search ON public.inventory_entry USING gin (sn gin_trgm_ops, document gin_trgm_ops, by_name gin_trgm_ops);
CREATE INDEX inventory_entry_sn ON public.inventory_entry USING btree (dept_path, sn, id);
CREATE INDEX inventory_entry_sns ON public.inventory_entry USING btree (sn, id) INCLUDE (dept_path);
CREATE INDEX inventory_entry_type ON public.inventory_entry USING btree (dept_path, type, created_at, id);
CREATE INDEX inventory_receipt_dept ON public.inventory_receipt USING btree (dept_id, created_at, id);
CREATE INDEX inventory_receipt_first ON public.inventory_receipt USING btree (number, id) INCLUDE (dept_path);
CREATE INDEX inventory_receipt_list ON public.inventory_receipt USING btree (dept_path, created_at, id);
CREATE INDEX inventory_receipt_newest ON public.inventory_receipt USING btree (created_at, id) INCLUDE (dept_path);
CREATE INDEX inventory_receipt_numbers ON public.inventory_receipt USING btree (dept_path, number, id);
CREATE INDEX inventory_receipt_search ON public.inventory_receipt USING gin (number gin_trgm_ops, from_name gin_trgm_ops, document gin_trgm_ops);
CREATE INDEX inventory_receipt_waiting ON public.inventory_receipt USING btree (dept_path) WHERE (waiting > 0);
CREATE INDEX inventory_sale_day ON public.inventory_sale USING btree (dept_path, sold_at, id);
CREATE INDEX inventory_sale_days ON public.inventory_sale USING btree (sold_at, id) INCLUDE (dept_path);
CREATE INDEX inventory_sale_device ON public.inventory_sale USING btree (device_id, created_at, id);
CREATE INDEX inventory_sale_list ON public.inventory_sale USING btree (dept_path, created_at, id);
CREATE INDEX inventory_sale_merchant ON public.inventory_sale USING btree (merchant_id, created_at, id);
CREATE INDEX inventory_sale_newest ON public.inventory_sale USING btree (created_at, id) INCLUDE (dept_path);
CREATE INDEX inventory_sale_number ON public.inventory_sale USING btree (dept_path, number, id);
CREATE INDEX inventory_sale_numbers ON public.inventory_sale USING btree (number, id) INCLUDE (dept_path);
CREATE UNIQUE INDEX inventory_sale_open ON public.inventory_sale USING btree (device_id) WHERE (state = 'sold'::text);
CREATE INDEX inventory_sale_search ON public.inventory_sale USING gin (sn gin_trgm_ops, number gin_trgm_ops, buyer gin_trgm_ops);
CREATE INDEX inventory_sale_sn ON public.inventory_sale USING btree (dept_path, sn, id);
CREATE INDEX inventory_sale_sns ON public.inventory_sale USING btree (sn, id) INCLUDE (dept_path);
CREATE INDEX inventory_sale_state ON public.inventory_sale USING btree (dept_path, state, created_at, id);
CREATE INDEX inventory_sale_warranties ON public.inventory_sale USING btree (warranty_until, id) INCLUDE (dept_path) WHERE (warranty_until IS NOT NULL);
CREATE INDEX inventory_sale_warranty ON public.inventory_sale USING btree (dept_path, warranty_until, id) WHERE (warranty_until IS NOT NULL);
CREATE INDEX inventory_signature_dept ON public.inventory_signature USING btree (dept_path);
CREATE INDEX inventory_signature_receipt ON public.inventory_signature USING btree (receipt_id, id);
CREATE INDEX inventory_stock_dept ON public.inventory_stock USING btree (dept_id, since, id);
CREATE INDEX inventory_stock_newest ON public.inventory_stock USING btree (since, id) INCLUDE (dept_path);
CREATE INDEX inventory_stock_product ON public.inventory_stock USING btree (dept_path, product_id, since, id);
CREATE INDEX inventory_stock_search ON public.inventory_stock USING gin (sn gin_trgm_ops, document gin_trgm_ops);
CREATE INDEX inventory_stock_since ON public.inventory_stock USING btree (dept_path, since, id);
CREATE INDEX inventory_stock_sn ON public.inventory_stock USING btree (dept_path, sn, id);
CREATE INDEX inventory_stock_sns ON public.inventory_stock USING btree (sn, id) INCLUDE (dept_path);
CREATE INDEX inventory_stock_type ON public.inventory_stock USING btree (dept_path, entry_type, since, id);
CREATE INDEX inventory_sync_conflict_dept ON public.inventory_sync_conflict USING btree (their_dept_id) WHERE (their_dept_id IS NOT NULL);
CREATE INDEX inventory_sync_conflict_device ON public.inventory_sync_conflict USING btree (device_id) WHERE (device_id IS NOT NULL);
CREATE INDEX inventory_sync_conflict_list ON public.inventory_sync_conflict USING btree (dept_path, found_at, id);
CREATE INDEX inventory_sync_conflict_newest ON public.inventory_sync_conflict USING btree (found_at, id) INCLUDE (dept_path);
CREATE INDEX inventory_sync_conflict_of ON public.inventory_sync_conflict USING btree (source_id, state);
CREATE UNIQUE INDEX inventory_sync_conflict_pair ON public.inventory_sync_conflict USING btree (source_id, sn);
CREATE INDEX inventory_sync_conflict_product ON public.inventory_sync_conflict USING btree (their_product_id) WHERE (their_product_id IS NOT NULL);
CREATE INDEX inventory_sync_conflict_search ON public.inventory_sync_conflict USING gin (sn gin_trgm_ops, their_owner gin_trgm_ops, their_product gin_trgm_ops);
CREATE INDEX inventory_sync_conflict_sn ON public.inventory_sync_conflict USING btree (sn, id) INCLUDE (dept_path);
CREATE INDEX inventory_sync_conflict_sns ON public.inventory_sync_conflict USING btree (dept_path, sn, id);
CREATE INDEX inventory_sync_conflict_state ON public.inventory_sync_conflict USING btree (dept_path, state, found_at, id);
CREATE INDEX inventory_sync_run_beats ON public.inventory_sync_run USING btree (beat_at) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE INDEX inventory_sync_run_list ON public.inventory_sync_run USING btree (dept_path, started_at, id);
CREATE INDEX inventory_sync_run_newest ON public.inventory_sync_run USING btree (started_at, id) INCLUDE (dept_path);
CREATE INDEX inventory_sync_run_of ON public.inventory_sync_run USING btree (source_id, started_at DESC);
CREATE UNIQUE INDEX inventory_sync_run_open ON public.inventory_sync_run USING btree (source_id) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE INDEX inventory_sync_run_search ON public.inventory_sync_run USING gin (by_name gin_trgm_ops);
CREATE INDEX inventory_sync_run_state ON public.inventory_sync_run USING btree (dept_path, state, started_at, id);
CREATE INDEX inventory_sync_source_due ON public.inventory_sync_source USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX inventory_sync_source_keeper ON public.inventory_sync_source USING btree (keeper_id) WHERE (keeper_id IS NOT NULL);
CREATE INDEX inventory_sync_source_list ON public.inventory_sync_source USING btree (dept_path, created_at, id);
CREATE UNIQUE INDEX inventory_sync_source_name ON public.inventory_sync_source USING btree (dept_id, lower(name));
CREATE INDEX inventory_transfer_changed ON public.inventory_transfer USING btree (dispatch_id, changed_at, id);
CREATE INDEX inventory_transfer_device ON public.inventory_transfer USING btree (device_id, id);
CREATE INDEX inventory_transfer_first ON public.inventory_transfer USING btree (sn, id) INCLUDE (dept_path);
CREATE INDEX inventory_transfer_last ON public.inventory_transfer USING btree (dept_path, changed_at, id);
CREATE INDEX inventory_transfer_of ON public.inventory_transfer USING btree (dispatch_id, id);
CREATE UNIQUE INDEX inventory_transfer_open ON public.inventory_transfer USING btree (device_id) WHERE (state = '1'::text);
CREATE INDEX inventory_transfer_search ON public.inventory_transfer USING gin (sn gin_trgm_ops);
CREATE INDEX inventory_transfer_sn ON public.inventory_transfer USING btree (dispatch_id, sn, id);
CREATE INDEX inventory_transfer_sns ON public.inventory_transfer USING btree (dept_path, sn, id);
CREATE INDEX inventory_transfer_state ON public.inventory_transfer USING btree (dispatch_id, state, id);
CREATE INDEX inventory_transfer_states ON public.inventory_transfer USING btree (dept_path, state, sn, id);
CREATE INDEX job_run_of ON public.job_run USING btree (name, id DESC);
CREATE INDEX job_run_running ON public.job_run USING btree (worker) WHERE (outcome = 'running'::text);
CREATE INDEX job_run_started ON public.job_run USING btree (started_at, id);
CREATE INDEX job_run_times ON public.job_run USING btree (name, started_at);
CREATE INDEX live_touch_at ON public.live_touch USING btree (at);
CREATE INDEX live_touch_xid ON public.live_touch USING btree (xid);
CREATE INDEX mail_message_created ON public.mail_message USING btree (created_at DESC, id DESC);
CREATE INDEX mail_message_due ON public.mail_message USING btree (next_at) WHERE (state = ANY (ARRAY['waiting'::text, 'sending'::text]));
CREATE INDEX mail_message_sealed ON public.mail_message USING btree (created_at) WHERE (words_sealed IS NOT NULL);
CREATE INDEX mail_message_unwiped ON public.mail_message USING btree (created_at) WHERE (secret AND (body_text <> ''::text));
CREATE INDEX merchant_maintenance_at ON public.merchant_maintenance USING btree (dept_path, at, id);
CREATE INDEX merchant_maintenance_device ON public.merchant_maintenance USING btree (device_id, at, id);
CREATE INDEX merchant_maintenance_kind ON public.merchant_maintenance USING btree (dept_path, kind, at, id);
CREATE INDEX merchant_maintenance_list ON public.merchant_maintenance USING btree (dept_path, created_at, id);
CREATE INDEX merchant_maintenance_merchant ON public.merchant_maintenance USING btree (merchant_id, at, id);
CREATE INDEX merchant_maintenance_newest ON public.merchant_maintenance USING btree (at, id) INCLUDE (dept_path);
CREATE INDEX merchant_maintenance_search ON public.merchant_maintenance USING gin (sn gin_trgm_ops, engineer gin_trgm_ops, found gin_trgm_ops);
CREATE INDEX merchant_maintenance_shop ON public.merchant_maintenance USING btree (shop_id, at, id);
CREATE INDEX merchant_maintenance_sn ON public.merchant_maintenance USING btree (dept_path, sn, id);
CREATE INDEX merchant_maintenance_state ON public.merchant_maintenance USING btree (dept_path, state, at, id);
CREATE INDEX merchant_merchant_cell ON public.merchant_merchant USING btree (cell) WHERE (cell IS NOT NULL);
CREATE INDEX merchant_merchant_country ON public.merchant_merchant USING btree (dept_path, country, created_at, id);
CREATE INDEX merchant_merchant_created ON public.merchant_merchant USING btree (created_at, id) INCLUDE (dept_path);
CREATE INDEX merchant_merchant_dept ON public.merchant_merchant USING btree (dept_id, created_at, id);
CREATE INDEX merchant_merchant_dept_cell ON public.merchant_merchant USING btree (dept_path, cell) WHERE (cell IS NOT NULL);
CREATE INDEX merchant_merchant_first ON public.merchant_merchant USING btree (number, id) INCLUDE (dept_path);
CREATE INDEX merchant_merchant_kind ON public.merchant_merchant USING btree (dept_path, kind, created_at, id);
CREATE INDEX merchant_merchant_list ON public.merchant_merchant USING btree (dept_path, created_at, id);
CREATE INDEX merchant_merchant_lower ON public.merchant_merchant USING btree (lower(number));
CREATE INDEX merchant_merchant_name ON public.merchant_merchant USING btree (dept_path, name, id);
CREATE INDEX merchant_merchant_names ON public.merchant_merchant USING btree (name, id) INCLUDE (dept_path);
CREATE INDEX merchant_merchant_number ON public.merchant_merchant USING btree (dept_path, number, id);
CREATE INDEX merchant_merchant_search ON public.merchant_merchant USING gin (number gin_trgm_ops, name gin_trgm_ops, phone gin_trgm_ops, address gin_trgm_ops);
CREATE UNIQUE INDEX merchant_merchant_taken ON public.merchant_merchant USING btree (dept_id, lower(number));
CREATE INDEX merchant_photo_file ON public.merchant_photo USING btree (file_id);
CREATE INDEX merchant_shop_cell ON public.merchant_shop USING btree (cell) WHERE (cell IS NOT NULL);
CREATE INDEX merchant_shop_created ON public.merchant_shop USING btree (created_at, id) INCLUDE (dept_path);
CREATE INDEX merchant_shop_dept_cell ON public.merchant_shop USING btree (dept_path, cell) WHERE (cell IS NOT NULL);
CREATE INDEX merchant_shop_first ON public.merchant_shop USING btree (number, id) INCLUDE (dept_path);
CREATE INDEX merchant_shop_list ON public.merchant_shop USING btree (dept_path, created_at, id);
CREATE INDEX merchant_shop_name ON public.merchant_shop USING btree (dept_path, name, id);
CREATE INDEX merchant_shop_number ON public.merchant_shop USING btree (dept_path, number, id);
CREATE INDEX merchant_shop_of ON public.merchant_shop USING btree (merchant_id, number, id);
CREATE INDEX merchant_shop_of_cell ON public.merchant_shop USING btree (merchant_id, cell) WHERE (cell IS NOT NULL);
CREATE INDEX merchant_shop_search ON public.merchant_shop USING gin (number gin_trgm_ops, name gin_trgm_ops, address gin_trgm_ops);
CREATE UNIQUE INDEX merchant_shop_taken ON public.merchant_shop USING btree (merchant_id, lower(number));
CREATE INDEX message_delivery_list ON public.message_delivery USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX message_delivery_popup ON public.message_delivery USING btree (user_id) WHERE popup;
CREATE INDEX message_delivery_unread ON public.message_delivery USING btree (user_id) WHERE (status = '0'::text);
CREATE INDEX message_message_link ON public.message_message USING btree (link) WHERE (link IS NOT NULL);
CREATE INDEX message_message_sent ON public.message_message USING btree (dept_path, created_at DESC, id DESC);
CREATE INDEX message_notice_due ON public.message_notice USING btree (starts_at) WHERE (state = 'scheduled'::text);
CREATE INDEX message_notice_list ON public.message_notice USING btree (dept_path, created_at, id);
CREATE INDEX message_notice_newest ON public.message_notice USING btree (created_at, id) INCLUDE (dept_path);
CREATE INDEX message_notice_over ON public.message_notice USING btree (ends_at) WHERE ((state = 'published'::text) AND (ends_at IS NOT NULL));
CREATE INDEX message_notice_priority ON public.message_notice USING btree (dept_path, priority, created_at, id);
CREATE INDEX message_notice_published ON public.message_notice USING btree (dept_path, published_at, id);
CREATE INDEX message_notice_publishing ON public.message_notice USING btree (published_at, id) INCLUDE (dept_path);
CREATE INDEX message_notice_put_away ON public.message_notice USING btree (put_away_at) WHERE (put_away_at IS NOT NULL);
CREATE INDEX message_notice_search ON public.message_notice USING gin (title gin_trgm_ops, body gin_trgm_ops);
CREATE INDEX message_notice_starting ON public.message_notice USING btree (starts_at, id) INCLUDE (dept_path);
CREATE INDEX message_notice_starts ON public.message_notice USING btree (dept_path, starts_at, id);
CREATE INDEX message_notice_state ON public.message_notice USING btree (dept_path, state, created_at, id);
CREATE INDEX message_notice_title ON public.message_notice USING btree (dept_path, title, id);
CREATE INDEX message_notice_titles ON public.message_notice USING btree (title, id) INCLUDE (dept_path);
CREATE INDEX message_notice_to_put_away ON public.message_notice USING btree (id) WHERE ((state = ANY (ARRAY['ended'::text, 'recalled'::text])) AND (put_away_at IS NULL));
CREATE INDEX message_notice_delivery_list ON public.message_notice_delivery USING btree (user_id, published_at DESC, id DESC);
CREATE INDEX message_notice_delivery_popup ON public.message_notice_delivery USING btree (user_id) WHERE popup;
CREATE INDEX message_notice_delivery_to_put_away ON public.message_notice_delivery USING btree (notice_id) WHERE (NOT over);
CREATE INDEX message_notice_delivery_unread ON public.message_notice_delivery USING btree (user_id) WHERE (status = '0'::text);
CREATE INDEX message_notice_delivery_waiting ON public.message_notice_delivery USING btree (user_id) WHERE ((status = '0'::text) AND (NOT over));
CREATE INDEX message_notice_file_file ON public.message_notice_file USING btree (file_id);
CREATE INDEX order_entry_dept ON public.order_entry USING btree (dept_path);
CREATE INDEX order_entry_of ON public.order_entry USING btree (order_id, id);
CREATE INDEX order_file_entry ON public.order_file USING btree (entry_id);
CREATE INDEX order_file_file ON public.order_file USING btree (file_id);
CREATE INDEX order_order_by_due ON public.order_order USING btree (dept_path, due_sort, id);
CREATE INDEX order_order_by_dues ON public.order_order USING btree (due_sort, id) INCLUDE (dept_path, partner_path);
CREATE INDEX order_order_by_end ON public.order_order USING btree (dept_path, closed_sort, id);
CREATE INDEX order_order_by_ends ON public.order_order USING btree (closed_sort, id) INCLUDE (dept_path, partner_path);
CREATE INDEX order_order_costs ON public.order_order USING btree (dept_path, costs, created_at, id);
CREATE INDEX order_order_counted ON public.order_order USING btree (dept_path, created_at) INCLUDE (fault, product_id, product_name, state, partner_path);
CREATE INDEX order_order_device ON public.order_order USING btree (device_id, created_at, id);
CREATE INDEX order_order_due ON public.order_order USING btree (dept_path, due_on, id) WHERE (due_on IS NOT NULL);
CREATE INDEX order_order_due_service ON public.order_order USING btree (partner_path, due_on, id) WHERE (due_on IS NOT NULL);
CREATE INDEX order_order_engineer ON public.order_order USING btree (engineer_id, created_at, id) WHERE (engineer_id IS NOT NULL);
CREATE INDEX order_order_fault ON public.order_order USING btree (dept_path, fault, created_at, id);
CREATE INDEX order_order_list ON public.order_order USING btree (dept_path, created_at, id);
CREATE INDEX order_order_merchant ON public.order_order USING btree (merchant_id, created_at, id);
CREATE INDEX order_order_newest ON public.order_order USING btree (created_at, id) INCLUDE (dept_path, partner_path);
CREATE INDEX order_order_number ON public.order_order USING btree (dept_path, number, id);
CREATE INDEX order_order_numbers ON public.order_order USING btree (number, id) INCLUDE (dept_path, partner_path);
CREATE INDEX order_order_of_dept ON public.order_order USING btree (dept_id, created_at, id);
CREATE UNIQUE INDEX order_order_open ON public.order_order USING btree (device_id) WHERE ((state <> ALL (ARRAY['closed'::text, 'cancelled'::text])) AND (replacement_id IS NULL));
CREATE INDEX order_order_owed ON public.order_order USING btree (dept_path, due_on) WHERE (state <> ALL (ARRAY['closed'::text, 'cancelled'::text]));
CREATE INDEX order_order_owing ON public.order_order USING btree (partner_path, due_on) WHERE (state <> ALL (ARRAY['closed'::text, 'cancelled'::text]));
CREATE INDEX order_order_partner ON public.order_order USING btree (partner_id, created_at, id);
CREATE INDEX order_order_product ON public.order_order USING btree (product_id, created_at, id);
CREATE INDEX order_order_replacement ON public.order_order USING btree (replacement_id, created_at, id) WHERE (replacement_id IS NOT NULL);
CREATE INDEX order_order_search ON public.order_order USING gin (number gin_trgm_ops, sn gin_trgm_ops, contact_name gin_trgm_ops, merchant_name gin_trgm_ops, out_number gin_trgm_ops, back_number gin_trgm_ops, replacement_sn gin_trgm_ops);
CREATE INDEX order_order_service ON public.order_order USING btree (partner_path, created_at, id);
CREATE INDEX order_order_service_state ON public.order_order USING btree (partner_path, state, created_at, id);
CREATE INDEX order_order_shop ON public.order_order USING btree (shop_id);
CREATE INDEX order_order_sn ON public.order_order USING btree (dept_path, sn, id);
CREATE INDEX order_order_sns ON public.order_order USING btree (sn, id) INCLUDE (dept_path, partner_path);
CREATE INDEX order_order_state ON public.order_order USING btree (dept_path, state, created_at, id);
CREATE UNIQUE INDEX order_order_taken ON public.order_order USING btree (dept_id, number);
CREATE INDEX order_order_total ON public.order_order USING btree (dept_path, total, id);
CREATE INDEX order_order_totals ON public.order_order USING btree (total, id) INCLUDE (dept_path, partner_path);
CREATE INDEX order_order_unassigned ON public.order_order USING btree (created_at, id) INCLUDE (dept_path, partner_path) WHERE ((engineer_id IS NULL) AND (state <> ALL (ARRAY['created'::text, 'closed'::text, 'cancelled'::text])));
CREATE INDEX order_order_under_way ON public.order_order USING btree (id) WHERE (state <> ALL (ARRAY['closed'::text, 'cancelled'::text]));
CREATE INDEX order_order_warranty ON public.order_order USING btree (dept_path, warranty, created_at, id);
CREATE INDEX org_dept_join_code ON public.org_dept USING btree (join_code);
CREATE INDEX org_dept_name ON public.org_dept USING btree (name);
CREATE INDEX org_dept_parent ON public.org_dept USING btree (parent_id);
CREATE INDEX org_dept_part ON public.org_dept USING gin (name gin_trgm_ops);
CREATE INDEX org_dept_shut ON public.org_dept USING btree (dept_path) WHERE (state <> 'enabled'::text);
CREATE UNIQUE INDEX org_dept_sibling ON public.org_dept USING btree (parent_id, lower(name)) WHERE (state <> ALL (ARRAY['closed'::text, 'refused'::text]));
CREATE INDEX org_dept_waiting ON public.org_dept USING btree (created_at DESC, id DESC) WHERE (state = ANY (ARRAY['applied'::text, 'refused'::text]));
CREATE INDEX org_invite_created ON public.org_invite USING btree (created_at DESC, id DESC);
CREATE INDEX org_invite_dept ON public.org_invite USING btree (dept_path);
CREATE INDEX org_invite_due ON public.org_invite USING btree (expires_at) WHERE (state = 'open'::text);
CREATE INDEX org_trust_dept ON public.org_trust USING btree (dept_path);
CREATE INDEX org_trust_due ON public.org_trust USING btree (until) WHERE (state = 'active'::text);
CREATE INDEX org_trust_giver ON public.org_trust USING btree (dept_id);
CREATE UNIQUE INDEX org_trust_once ON public.org_trust USING btree (dept_id, trustee_id) WHERE ((side = 'giver'::text) AND (state = 'active'::text));
CREATE INDEX org_trust_receiver ON public.org_trust USING btree (trustee_id);
CREATE INDEX org_trust_trustee ON public.org_trust USING btree (trustee_id) WHERE ((side = 'trustee'::text) AND (state = 'active'::text));
CREATE INDEX paramfile_file_bytes ON public.paramfile_file USING btree (sha256);
CREATE UNIQUE INDEX paramfile_file_device ON public.paramfile_file USING btree (set_id, device_id);
CREATE INDEX paramfile_file_list ON public.paramfile_file USING btree (dept_path, sn, id);
CREATE INDEX paramfile_file_of_device ON public.paramfile_file USING btree (device_id, set_id);
CREATE INDEX paramfile_file_search ON public.paramfile_file USING gin (sn gin_trgm_ops);
CREATE INDEX paramfile_file_set ON public.paramfile_file USING btree (dept_path, set_id, id);
CREATE INDEX paramfile_file_sn ON public.paramfile_file USING btree (set_id, sn, id);
CREATE INDEX paramfile_given_behind ON public.paramfile_given USING btree (template_id, dept_path, device_id) WHERE behind;
CREATE INDEX paramfile_given_device ON public.paramfile_given USING btree (device_id);
CREATE INDEX paramfile_given_next ON public.paramfile_given USING btree (template_id, device_id) WHERE behind;
CREATE INDEX paramfile_given_path ON public.paramfile_given USING btree (dept_path);
CREATE INDEX paramfile_given_place ON public.paramfile_given USING btree (template_id, dept_path, device_id);
CREATE INDEX paramfile_given_stale ON public.paramfile_given USING btree (template_id, device_id) WHERE stale;
CREATE INDEX paramfile_level_above ON public.paramfile_level USING btree (template_id, dept_path) WHERE (level = 'org'::text);
CREATE UNIQUE INDEX paramfile_level_device ON public.paramfile_level USING btree (device_id, template_id) WHERE (device_id IS NOT NULL);
CREATE INDEX paramfile_level_kind ON public.paramfile_level USING btree (template_id, level, updated_at, id);
CREATE INDEX paramfile_level_list ON public.paramfile_level USING btree (template_id, updated_at, id);
CREATE UNIQUE INDEX paramfile_level_merchant ON public.paramfile_level USING btree (merchant_id, template_id) WHERE (merchant_id IS NOT NULL);
CREATE UNIQUE INDEX paramfile_level_org ON public.paramfile_level USING btree (dept_id, template_id) WHERE (level = 'org'::text);
CREATE INDEX paramfile_level_path ON public.paramfile_level USING btree (dept_path, updated_at, id);
CREATE UNIQUE INDEX paramfile_level_shop ON public.paramfile_level USING btree (shop_id, template_id) WHERE (shop_id IS NOT NULL);
CREATE INDEX paramfile_secret_list ON public.paramfile_secret USING btree (dept_path, id);
CREATE INDEX paramfile_secret_template ON public.paramfile_secret USING btree (template_id);
CREATE INDEX paramfile_set_list ON public.paramfile_set USING btree (dept_path, created_at, id);
CREATE INDEX paramfile_set_name ON public.paramfile_set USING btree (dept_path, name, id);
CREATE INDEX paramfile_stale_template ON public.paramfile_stale USING btree (template_id, id);
CREATE INDEX paramfile_template_list ON public.paramfile_template USING btree (dept_path, created_at, id);
CREATE INDEX paramfile_template_name ON public.paramfile_template USING btree (dept_path, name, id);
CREATE INDEX paramfile_template_product ON public.paramfile_template USING btree (product_id) WHERE (product_id IS NOT NULL);
CREATE INDEX paramfile_template_version_path ON public.paramfile_template_version USING btree (dept_path);
CREATE UNIQUE INDEX product_firm_code ON public.product_firm USING btree (lower(code));
CREATE INDEX product_firm_name ON public.product_firm USING btree (lower(name));
CREATE INDEX product_model_dept ON public.product_model USING btree (dept_path);
CREATE UNIQUE INDEX product_model_draft ON public.product_model USING btree (product_id) WHERE (state = 'draft'::text);
CREATE UNIQUE INDEX product_model_published ON public.product_model USING btree (product_id) WHERE (state = 'published'::text);
CREATE UNIQUE INDEX product_product_code_any_case ON public.product_product USING btree (lower(code));
CREATE INDEX product_product_dept ON public.product_product USING btree (dept_path);
CREATE INDEX product_product_firm ON public.product_product USING btree (firm_id);
CREATE INDEX product_product_photo ON public.product_product USING btree (photo_id);
CREATE INDEX product_share_dept ON public.product_share USING btree (dept_path, side);
CREATE INDEX product_share_product ON public.product_share USING btree (product_id, side);
CREATE INDEX release_blackout_dept ON public.release_blackout USING btree (dept_path, from_day);
CREATE INDEX release_blackout_last ON public.release_blackout USING btree (to_day);
CREATE INDEX rollout_attempt_result ON public.rollout_attempt USING btree (result_id, no);
CREATE INDEX rollout_difference_app_base ON public.rollout_difference USING btree (app_base_id) WHERE (app_base_id IS NOT NULL);
CREATE UNIQUE INDEX rollout_difference_app_pair ON public.rollout_difference USING btree (app_version_id, app_base_id, form) WHERE (app_version_id IS NOT NULL);
CREATE INDEX rollout_difference_base ON public.rollout_difference USING btree (base_id);
CREATE INDEX rollout_difference_by_size ON public.rollout_difference USING btree (target_id, content, size, id);
CREATE INDEX rollout_difference_bytes ON public.rollout_difference USING btree (sha256);
CREATE INDEX rollout_difference_dept ON public.rollout_difference USING btree (dept_path);
CREATE INDEX rollout_difference_leased ON public.rollout_difference USING btree (lease_until) WHERE (lease_until IS NOT NULL);
CREATE INDEX rollout_difference_of ON public.rollout_difference USING btree (target_id, content, created_at, id);
CREATE UNIQUE INDEX rollout_difference_pair ON public.rollout_difference USING btree (package_id, base_id);
CREATE INDEX rollout_difference_tried ON public.rollout_difference USING btree (tried_for) WHERE (tried_for IS NOT NULL);
CREATE INDEX rollout_difference_waiting ON public.rollout_difference USING btree (id) WHERE (state = ANY (ARRAY['generating'::text, 'made'::text]));
CREATE INDEX rollout_look_due ON public.rollout_look USING btree (due_at, id);
CREATE INDEX rollout_minute_task ON public.rollout_minute USING btree (task_id, at);
CREATE INDEX rollout_package_file ON public.rollout_package USING btree (file_id);
CREATE INDEX rollout_package_list ON public.rollout_package USING btree (dept_path, created_at, id);
CREATE INDEX rollout_package_partly ON public.rollout_package USING btree (id) WHERE (publish_state = '3'::text);
CREATE INDEX rollout_package_publishing ON public.rollout_package USING btree (publish_at) WHERE (publish_at IS NOT NULL);
CREATE UNIQUE INDEX rollout_package_version ON public.rollout_package USING btree (product_id, content, name, kind, version, base) NULLS NOT DISTINCT WHERE (deleted_at IS NULL);
CREATE INDEX rollout_place_away ON public.rollout_place USING btree (sha256, domain_id) WHERE (domain_id IS NOT NULL);
CREATE INDEX rollout_place_dept ON public.rollout_place USING btree (dept_path);
CREATE INDEX rollout_place_domain ON public.rollout_place USING btree (domain_id);
CREATE INDEX rollout_place_version ON public.rollout_place USING btree (version_id) WHERE (version_id IS NOT NULL);
CREATE INDEX rollout_result_at_work ON public.rollout_result USING btree (task_id) WHERE ((state = '2'::text) AND (((phase = 'waiting'::text) AND (reason <> ALL (ARRAY['window'::text, 'pace'::text]))) IS NOT TRUE));
CREATE INDEX rollout_result_attention ON public.rollout_result USING btree (task_id, attention, id);
CREATE UNIQUE INDEX rollout_result_busy ON public.rollout_result USING btree (device_id, kind, part) WHERE (state = '2'::text);
CREATE UNIQUE INDEX rollout_result_device ON public.rollout_result USING btree (task_id, device_id);
CREATE INDEX rollout_result_due ON public.rollout_result USING btree (task_id, ring, next_at) WHERE ((state = '1'::text) AND (next_at < 'infinity'::timestamp with time zone));
CREATE INDEX rollout_result_history ON public.rollout_result USING btree (device_id, id);
CREATE INDEX rollout_result_open ON public.rollout_result USING btree (device_id) WHERE (state = ANY (ARRAY['1'::text, '2'::text, '8'::text]));
CREATE INDEX rollout_result_sn ON public.rollout_result USING btree (task_id, sn, id);
CREATE INDEX rollout_result_state ON public.rollout_result USING btree (task_id, state, ring);
CREATE INDEX rollout_result_timeout ON public.rollout_result USING btree (due_at) WHERE (state = '2'::text);
CREATE INDEX rollout_result_young ON public.rollout_result USING btree (changed_at) WHERE ((state = '1'::text) AND (next_at = 'infinity'::timestamp with time zone));
CREATE INDEX rollout_tally_place ON public.rollout_tally USING btree (task_id, dept_path);
CREATE INDEX rollout_task_advert ON public.rollout_task USING btree (advert_id) WHERE (advert_id IS NOT NULL);
CREATE INDEX rollout_task_app_param_template ON public.rollout_task USING btree (app_param_template_id) WHERE (app_param_template_id IS NOT NULL);
CREATE INDEX rollout_task_app_version ON public.rollout_task USING btree (app_version_id) WHERE (app_version_id IS NOT NULL);
CREATE INDEX rollout_task_auditing ON public.rollout_task USING btree (expires_at) WHERE (state = 'auditing'::text);
CREATE INDEX rollout_task_customization ON public.rollout_task USING btree (customization_id) WHERE (customization_id IS NOT NULL);
CREATE INDEX rollout_task_desktop ON public.rollout_task USING btree (desktop_id) WHERE (desktop_id IS NOT NULL);
CREATE INDEX rollout_task_grouped ON public.rollout_task USING btree (dept_path) WHERE ((group_ids IS NOT NULL) AND (ended_at IS NULL));
CREATE INDEX rollout_task_held ON public.rollout_task USING btree (id) WHERE ((state = ANY (ARRAY['returned'::text, 'draft'::text, 'auditing'::text, 'ready'::text])) AND (started_at IS NOT NULL));
CREATE INDEX rollout_task_kind ON public.rollout_task USING btree (kind, created_at, id);
CREATE INDEX rollout_task_kind_name ON public.rollout_task USING btree (kind, name, id);
CREATE INDEX rollout_task_lately ON public.rollout_task USING btree (dept_path, COALESCE(ended_at, 'infinity'::timestamp with time zone));
CREATE INDEX rollout_task_list ON public.rollout_task USING btree (dept_path, created_at, id);
CREATE INDEX rollout_task_live ON public.rollout_task USING btree (id) WHERE (state = ANY (ARRAY['scheduled'::text, 'running'::text, 'paused'::text, 'halted'::text]));
CREATE INDEX rollout_task_of_merchants ON public.rollout_task USING btree (id) WHERE ((scope ? 'merchantIds'::text) AND (ended_at IS NULL));
CREATE INDEX rollout_task_of_ring_merchants ON public.rollout_task USING btree (id) WHERE ((delivery @? '$."rings"[*]."merchantIds"'::jsonpath) AND (ended_at IS NULL));
CREATE INDEX rollout_task_package ON public.rollout_task USING btree (package_id);
CREATE INDEX rollout_task_param_secret ON public.rollout_task USING btree (param_secret_id) WHERE (param_secret_id IS NOT NULL);
CREATE INDEX rollout_task_param_set ON public.rollout_task USING btree (param_set_id) WHERE (param_set_id IS NOT NULL);
CREATE INDEX rollout_task_param_template ON public.rollout_task USING btree (param_template_id) WHERE (param_template_id IS NOT NULL);
CREATE INDEX rollout_task_subject ON public.rollout_task USING btree (kind, subject, product_id, started_at DESC);
CREATE INDEX rollout_wanted_again ON public.rollout_wanted USING btree (again_task_id) WHERE (again_task_id IS NOT NULL);
CREATE UNIQUE INDEX rollout_wanted_device ON public.rollout_wanted USING btree (device_id, kind, part);
CREATE INDEX rollout_wanted_drifted ON public.rollout_wanted USING btree (kind, since, id) WHERE ((since IS NOT NULL) AND (NOT busy));
CREATE INDEX rollout_wanted_drifted_all ON public.rollout_wanted USING btree (since, id) WHERE ((since IS NOT NULL) AND (NOT busy));
CREATE INDEX rollout_wanted_drifted_at ON public.rollout_wanted USING btree (dept_path, kind, since, id) WHERE ((since IS NOT NULL) AND (NOT busy));
CREATE INDEX rollout_wanted_unsettled ON public.rollout_wanted USING btree (device_id) WHERE ((NOT settled) AND (since IS NULL));
CREATE INDEX settings_change_request_author ON public.settings_change_request USING btree (author_id);
CREATE INDEX settings_change_request_decider ON public.settings_change_request USING btree (decided_by);
CREATE INDEX settings_change_request_home ON public.settings_change_request USING btree (home, dept_path, created_at, id);
CREATE INDEX settings_change_request_line ON public.settings_change_request USING btree (line_id);
CREATE INDEX settings_change_request_open ON public.settings_change_request USING btree (expires_at) WHERE (state = 'waiting'::text);
CREATE INDEX settings_change_request_page ON public.settings_change_request USING btree (created_at, id);
CREATE INDEX settings_change_request_subject ON public.settings_change_request USING btree (subject_id, target) WHERE ((state = 'waiting'::text) AND (subject_id IS NOT NULL));
CREATE INDEX settings_download_domain_dept ON public.settings_download_domain USING btree (dept_path);
CREATE UNIQUE INDEX settings_saved_view_name ON public.settings_saved_view USING btree (user_id, code, lower(name));
CREATE INDEX settings_saved_view_shared ON public.settings_saved_view USING btree (code, dept_path) WHERE shared;
CREATE INDEX settings_view_default_view ON public.settings_view_default USING btree (view_id);
CREATE UNIQUE INDEX settings_webhook_app ON public.settings_webhook USING btree (app_id) WHERE (app_id IS NOT NULL);
CREATE INDEX settings_webhook_dept ON public.settings_webhook USING btree (dept_path);
CREATE UNIQUE INDEX settings_webhook_receiver ON public.settings_webhook USING btree (receiver_id) WHERE (receiver_id IS NOT NULL);
CREATE INDEX settings_webhook_delivery_due ON public.settings_webhook_delivery USING btree (next_at) WHERE (state = ANY (ARRAY['waiting'::text, 'sending'::text]));
CREATE INDEX settings_webhook_delivery_ended ON public.settings_webhook_delivery USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX settings_webhook_delivery_failed ON public.settings_webhook_delivery USING btree (webhook_id, created_at DESC, id DESC) WHERE (error IS NOT NULL);
CREATE INDEX settings_webhook_delivery_list ON public.settings_webhook_delivery USING btree (webhook_id, created_at DESC, id DESC);
CREATE INDEX settings_webhook_delivery_open ON public.settings_webhook_delivery USING btree (webhook_id, next_at) WHERE (state = ANY (ARRAY['waiting'::text, 'sending'::text]));
CREATE INDEX settings_webhook_delivery_sending ON public.settings_webhook_delivery USING btree (webhook_id) WHERE (state = 'sending'::text);
CREATE INDEX sheet_import_same ON public.sheet_import USING btree (dept_id, sha256, job, at);
CREATE INDEX signing_export_ends ON public.signing_export USING btree (expires_at);
CREATE INDEX signing_export_file ON public.signing_export USING btree (file_for);
CREATE INDEX signing_export_key ON public.signing_export USING btree (key_id, expires_at);
CREATE INDEX signing_export_password ON public.signing_export USING btree (password_for);
CREATE INDEX signing_job_after ON public.signing_job USING btree (sha256_after) WHERE (sha256_after IS NOT NULL);
CREATE INDEX signing_job_author ON public.signing_job USING btree (author_id);
CREATE INDEX signing_job_before ON public.signing_job USING btree (sha256_before) WHERE keeps_before;
CREATE INDEX signing_job_beside ON public.signing_job USING btree (profile_id, sha256_before) WHERE ((state = 'signed'::text) AND (profile_id IS NOT NULL));
CREATE INDEX signing_job_decider ON public.signing_job USING btree (decided_by_id);
CREATE INDEX signing_job_file ON public.signing_job USING btree (dept_path, file_name, id);
CREATE INDEX signing_job_first ON public.signing_job USING btree (file_name, id) INCLUDE (dept_path);
CREATE INDEX signing_job_kept ON public.signing_job USING btree (kept_until) WHERE (kept_until IS NOT NULL);
CREATE INDEX signing_job_key ON public.signing_job USING btree (key_id, created_at, id);
CREATE INDEX signing_job_list ON public.signing_job USING btree (dept_path, created_at, id);
CREATE INDEX signing_job_newest ON public.signing_job USING btree (created_at, id) INCLUDE (dept_path);
CREATE INDEX signing_job_of_profile ON public.signing_job USING btree (profile_id, created_at, id);
CREATE INDEX signing_job_oldest ON public.signing_job USING btree (oldest_key_id, state) WHERE (oldest_key_id IS NOT NULL);
CREATE INDEX signing_job_open ON public.signing_job USING btree (expires_at) WHERE (state = ANY (ARRAY['requested'::text, 'waiting'::text]));
CREATE INDEX signing_job_profile ON public.signing_job USING btree (dept_path, profile, created_at, id);
CREATE INDEX signing_job_search ON public.signing_job USING gin (file_name gin_trgm_ops, package_name gin_trgm_ops);
CREATE INDEX signing_job_state ON public.signing_job USING btree (dept_path, state, created_at, id);
CREATE INDEX signing_job_waits ON public.signing_job USING btree (waits_since) WHERE (waits_since IS NOT NULL);
CREATE INDEX signing_key_ends ON public.signing_key USING btree (not_after) WHERE (state = ANY (ARRAY['active'::text, 'suspended'::text]));
CREATE UNIQUE INDEX signing_key_known ON public.signing_key USING btree (store_id, fingerprint) WHERE (state <> 'destroyed'::text);
CREATE UNIQUE INDEX signing_key_next ON public.signing_key USING btree (follows_id) WHERE (follows_id IS NOT NULL);
CREATE INDEX signing_key_oldest ON public.signing_key USING btree (oldest_id) WHERE (oldest_id IS NOT NULL);
CREATE INDEX signing_key_store ON public.signing_key USING btree (store_id);
CREATE UNIQUE INDEX signing_key_taken ON public.signing_key USING btree (store_id, lower(name)) WHERE (state <> 'destroyed'::text);
CREATE INDEX signing_profile_key ON public.signing_profile USING btree (key_id);
CREATE INDEX signing_profile_products ON public.signing_profile USING gin (product_ids);
CREATE UNIQUE INDEX signing_profile_taken ON public.signing_profile USING btree (dept_id, lower(name));
CREATE INDEX signing_store_away ON public.signing_store USING btree (token_away_since) WHERE (token_away_since IS NOT NULL);
CREATE UNIQUE INDEX signing_store_taken ON public.signing_store USING btree (dept_id, lower(name));
CREATE INDEX state_change_row ON ONLY public.state_change USING btree (life, row_id, at DESC);
CREATE INDEX stats_change_dept ON public.stats_change USING btree (dept_path, measure);
CREATE INDEX stats_day_day ON public.stats_day USING brin (day);
CREATE INDEX stats_hour_at ON public.stats_hour USING brin (at);
CREATE INDEX work_file ON public.work USING btree (file_id) WHERE (file_id IS NOT NULL);
CREATE INDEX work_open ON public.work USING btree (user_id) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE INDEX work_user ON public.work USING btree (user_id, created_at DESC);

-- Statistics

CREATE STATISTICS public.device_app_codes (mcv) ON package_name, version_code FROM device_app;
alter statistics device_app_codes set statistics 1000;

-- Policies

create policy everything on access_grant_review for all to mooring_system using (true) with check (true);
create policy owned on access_grant_review for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on access_role for all to mooring_system using (true) with check (true);
create policy inherited on access_role for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on access_role for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on account_api_token for all to mooring_system using (true) with check (true);
create policy owned on account_api_token for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on account_invite for all to mooring_system using (true) with check (true);
create policy owned on account_invite for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on account_user for all to mooring_system using (true) with check (true);
create policy owned on account_user for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on alert_alarm for all to mooring_system using (true) with check (true);
create policy owned on alert_alarm for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on alert_held for all to mooring_system using (true) with check (true);
create policy owned on alert_held for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on alert_lost for all to mooring_system using (true) with check (true);
create policy owned on alert_lost for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on alert_mail_hour for all to mooring_system using (true) with check (true);
create policy owned on alert_mail_hour for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on alert_mute for all to mooring_system using (true) with check (true);
create policy owned on alert_mute for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on alert_pending for all to mooring_system using (true) with check (true);
create policy owned on alert_pending for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on alert_receiver for all to mooring_system using (true) with check (true);
create policy owned on alert_receiver for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on alert_rule for all to mooring_system using (true) with check (true);
create policy owned on alert_rule for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on alert_signal for all to mooring_system using (true) with check (true);
create policy owned on alert_signal for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on alert_tally for all to mooring_system using (true) with check (true);
create policy owned on alert_tally for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on alert_walk for all to mooring_system using (true) with check (true);
create policy everything on app_app for all to mooring_system using (true) with check (true);
create policy listed on app_app for select to mooring_app using (((deleted_at IS NULL) AND (EXISTS ( SELECT
   FROM app_version v
  WHERE (v.app_id = app_app.id)))));
create policy owned on app_app for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on app_developer for all to mooring_system using (true) with check (true);
create policy owned on app_developer for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on app_sdk for all to mooring_system using (true) with check (true);
create policy owned on app_sdk for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy published on app_sdk for select to mooring_app using (((publish_state = '1'::text) AND (dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[]))));
create policy everything on app_subscription for all to mooring_system using (true) with check (true);
create policy owned on app_subscription for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy owner on app_subscription for all to mooring_app using (((owner_path >= scope_path()) AND (owner_path < (scope_path() || '~'::text)))) with check (((owner_path >= scope_path()) AND (owner_path < (scope_path() || '~'::text))));
create policy everything on app_version for all to mooring_system using (true) with check (true);
create policy listed on app_version for select to mooring_app using (((publish_state = ANY (ARRAY['1'::text, '3'::text])) AND (deleted_at IS NULL) AND
CASE scope
    WHEN '0'::text THEN (id IN ( SELECT app_for_all_here() AS app_for_all_here))
    WHEN '1'::text THEN (id IN ( SELECT app_listed_here() AS app_listed_here))
    ELSE (id IN ( SELECT app_on_terminals_here() AS app_on_terminals_here))
END));
create policy owned on app_version for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on app_version_dept for all to mooring_system using (true) with check (true);
create policy owned on app_version_dept for all to mooring_app using ((EXISTS ( SELECT
   FROM app_version v
  WHERE ((v.id = app_version_dept.version_id) AND (v.dept_path >= scope_path()) AND (v.dept_path < (scope_path() || '~'::text)))))) with check ((EXISTS ( SELECT
   FROM app_version v
  WHERE ((v.id = app_version_dept.version_id) AND (v.dept_path >= scope_path()) AND (v.dept_path < (scope_path() || '~'::text))))));
create policy everything on app_version_file for all to mooring_system using (true) with check (true);
create policy listed on app_version_file for select to mooring_app using ((EXISTS ( SELECT
   FROM app_version v
  WHERE (v.id = app_version_file.version_id))));
create policy owned on app_version_file for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on app_version_product for all to mooring_system using (true) with check (true);
create policy listed on app_version_product for select to mooring_app using ((EXISTS ( SELECT
   FROM app_version v
  WHERE (v.id = app_version_product.version_id))));
create policy owned on app_version_product for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on app_version_sn for all to mooring_system using (true) with check (true);
create policy owned on app_version_sn for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on approval_absence for all to mooring_system using (true) with check (true);
create policy owned on approval_absence for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on approval_application for all to mooring_system using (true) with check (true);
create policy inherited on approval_application for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on approval_application for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on approval_audit for all to mooring_system using (true) with check (true);
create policy inherited on approval_audit for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on approval_audit for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on approval_config for all to mooring_system using (true) with check (true);
create policy inherited on approval_config for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on approval_config for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on approval_file for all to mooring_system using (true) with check (true);
create policy inherited on approval_file for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on approval_file for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on approval_record for all to mooring_system using (true) with check (true);
create policy inherited on approval_record for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on approval_record for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on approval_sign for all to mooring_system using (true) with check (true);
create policy owned on approval_sign for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on audit_entry for all to mooring_system using (true) with check (true);
create policy owned on audit_entry for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on audit_visit for all to mooring_system using (true) with check (true);
create policy owned on audit_visit for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on customer_hour for all to mooring_system using (true) with check (true);
create policy owned on customer_hour for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on customer_iot for all to mooring_system using (true) with check (true);
create policy owned on customer_iot for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on customer_message for all to mooring_system using (true) with check (true);
create policy owned on customer_message for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on customer_registration for all to mooring_system using (true) with check (true);
create policy owned on customer_registration for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on customer_sequence for all to mooring_system using (true) with check (true);
create policy everything on desktop_advert for all to mooring_system using (true) with check (true);
create policy inherited on desktop_advert for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on desktop_advert for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on desktop_customization for all to mooring_system using (true) with check (true);
create policy inherited on desktop_customization for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on desktop_customization for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on desktop_desktop for all to mooring_system using (true) with check (true);
create policy inherited on desktop_desktop for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on desktop_desktop for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on desktop_file for all to mooring_system using (true) with check (true);
create policy inherited on desktop_file for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on desktop_file for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device for all to mooring_system using (true) with check (true);
create policy owned on device for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_app for all to mooring_system using (true) with check (true);
create policy owned on device_app for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_attention for all to mooring_system using (true) with check (true);
create policy owned on device_attention for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_contact for all to mooring_system using (true) with check (true);
create policy owned on device_contact for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_credential for all to mooring_system using (true) with check (true);
create policy of_device on device_credential for all to mooring_app using (( SELECT true
   FROM device d
  WHERE (d.id = device_credential.device_id))) with check (( SELECT true
   FROM device d
  WHERE (d.id = device_credential.device_id)));
create policy everything on device_custody for all to mooring_system using (true) with check (true);
create policy owned on device_custody for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_double for all to mooring_system using (true) with check (true);
create policy owned on device_double for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_enrol_code for all to mooring_system using (true) with check (true);
create policy owned on device_enrol_code for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_enrol_rule for all to mooring_system using (true) with check (true);
create policy owned on device_enrol_rule for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_event for all to mooring_system using (true) with check (true);
create policy owned on device_event for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_event_default for all to mooring_system using (true) with check (true);
create policy owned on device_event_default for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_factory for all to mooring_system using (true) with check (true);
create policy owned on device_factory for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_failure for all to mooring_system using (true) with check (true);
create policy owned on device_failure for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_failure_change for all to mooring_system using (true) with check (true);
create policy owned on device_failure_change for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_failure_sum for all to mooring_system using (true) with check (true);
create policy owned on device_failure_sum for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_gone for all to mooring_system using (true) with check (true);
create policy everything on device_group for all to mooring_system using (true) with check (true);
create policy owned on device_group for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_group_member for all to mooring_system using (true) with check (true);
create policy owned on device_group_member for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_group_tally for all to mooring_system using (true) with check (true);
create policy owned on device_group_tally for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_health for all to mooring_system using (true) with check (true);
create policy owned on device_health for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_health_default for all to mooring_system using (true) with check (true);
create policy owned on device_health_default for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_log for all to mooring_system using (true) with check (true);
create policy of_device on device_log for all to mooring_app using (( SELECT true
   FROM device d
  WHERE (d.id = device_log.device_id))) with check (( SELECT true
   FROM device d
  WHERE (d.id = device_log.device_id)));
create policy everything on device_log_hour for all to mooring_system using (true) with check (true);
create policy of_device on device_log_hour for all to mooring_app using (( SELECT true
   FROM device d
  WHERE (d.id = device_log_hour.device_id))) with check (( SELECT true
   FROM device d
  WHERE (d.id = device_log_hour.device_id)));
create policy everything on device_log_line for all to mooring_system using (true) with check (true);
create policy owned on device_log_line for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_log_line_default for all to mooring_system using (true) with check (true);
create policy owned on device_log_line_default for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_log_pull for all to mooring_system using (true) with check (true);
create policy of_command on device_log_pull for all to mooring_app using (( SELECT true
   FROM gateway_outbox o
  WHERE (o.key = device_log_pull.key))) with check (( SELECT true
   FROM gateway_outbox o
  WHERE (o.key = device_log_pull.key)));
create policy everything on device_map_cell for all to mooring_system using (true) with check (true);
create policy owned on device_map_cell for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_map_change for all to mooring_system using (true) with check (true);
create policy owned on device_map_change for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_nonce for all to mooring_system using (true) with check (true);
create policy everything on device_pending for all to mooring_system using (true) with check (true);
create policy owned on device_pending for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_place for all to mooring_system using (true) with check (true);
create policy owned on device_place for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_presence for all to mooring_system using (true) with check (true);
create policy of_device on device_presence for all to mooring_app using (( SELECT true
   FROM device d
  WHERE (d.id = device_presence.device_id))) with check (( SELECT true
   FROM device d
  WHERE (d.id = device_presence.device_id)));
create policy everything on device_request for all to mooring_system using (true) with check (true);
create policy everything on device_shut for all to mooring_system using (true) with check (true);
create policy everything on device_tally for all to mooring_system using (true) with check (true);
create policy owned on device_tally for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_track for all to mooring_system using (true) with check (true);
create policy owned on device_track for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on device_track_default for all to mooring_system using (true) with check (true);
create policy owned on device_track_default for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on file_built for all to mooring_system using (true) with check (true);
create policy owned on file_built for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on file_direct for all to mooring_system using (true) with check (true);
create policy owned on file_direct for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on file_file for all to mooring_system using (true) with check (true);
create policy owned on file_file for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on file_part for all to mooring_system using (true) with check (true);
create policy of_upload on file_part for all to mooring_app using (( SELECT true
   FROM file_upload u
  WHERE (u.id = file_part.upload_id))) with check (( SELECT true
   FROM file_upload u
  WHERE (u.id = file_part.upload_id)));
create policy everything on file_quota for all to mooring_system using (true) with check (true);
create policy owned on file_quota for all to mooring_app using (dept_in_scope(dept_id)) with check (dept_in_scope(dept_id));
create policy everything on file_upload for all to mooring_system using (true) with check (true);
create policy owned on file_upload for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on file_usage for all to mooring_system using (true) with check (true);
create policy owned on file_usage for select to mooring_app using (dept_in_scope(dept_id));
create policy everything on file_usage_change for all to mooring_system using (true) with check (true);
create policy owned on file_usage_change for select to mooring_app using (dept_in_scope(dept_id));
create policy everything on gateway_cut for all to mooring_system using (true) with check (true);
create policy revoking on gateway_cut for insert to mooring_app with check (true);
create policy everything on gateway_key for all to mooring_system using (true) with check (true);
create policy everything on gateway_outbox for all to mooring_system using (true) with check (true);
create policy owned on gateway_outbox for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on gateway_recent for all to mooring_system using (true) with check (true);
create policy everything on gateway_refused for all to mooring_system using (true) with check (true);
create policy everything on geofence for all to mooring_system using (true) with check (true);
create policy owned on geofence for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on geofence_state for all to mooring_system using (true) with check (true);
create policy owned on geofence_state for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on geofence_tally for all to mooring_system using (true) with check (true);
create policy owned on geofence_tally for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on geofence_version for all to mooring_system using (true) with check (true);
create policy everything on hardware_test for all to mooring_system using (true) with check (true);
create policy owned on hardware_test for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on hardware_test_part for all to mooring_system using (true) with check (true);
create policy of_test on hardware_test_part for all to mooring_app using (( SELECT true
   FROM hardware_test t
  WHERE (t.id = hardware_test_part.test_id))) with check (( SELECT true
   FROM hardware_test t
  WHERE (t.id = hardware_test_part.test_id)));
create policy everything on help_article for all to mooring_system using (true) with check (true);
create policy inherited on help_article for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on help_article for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on http_rate for all to mooring_system using (true) with check (true);
create policy everything on inventory_arrival for all to mooring_system using (true) with check (true);
create policy owned on inventory_arrival for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on inventory_count for all to mooring_system using (true) with check (true);
create policy owned on inventory_count for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on inventory_count_line for all to mooring_system using (true) with check (true);
create policy owned on inventory_count_line for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on inventory_dispatch for all to mooring_system using (true) with check (true);
create policy owned on inventory_dispatch for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on inventory_entry for all to mooring_system using (true) with check (true);
create policy owned on inventory_entry for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on inventory_receipt for all to mooring_system using (true) with check (true);
create policy owned on inventory_receipt for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on inventory_sale for all to mooring_system using (true) with check (true);
create policy owned on inventory_sale for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on inventory_signature for all to mooring_system using (true) with check (true);
create policy owned on inventory_signature for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on inventory_stock for all to mooring_system using (true) with check (true);
create policy owned on inventory_stock for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on inventory_sync_conflict for all to mooring_system using (true) with check (true);
create policy owned on inventory_sync_conflict for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on inventory_sync_run for all to mooring_system using (true) with check (true);
create policy owned on inventory_sync_run for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on inventory_sync_source for all to mooring_system using (true) with check (true);
create policy owned on inventory_sync_source for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on inventory_transfer for all to mooring_system using (true) with check (true);
create policy owned on inventory_transfer for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on job_run for all to mooring_system using (true) with check (true);
create policy owned on job_run for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on job_schedule for all to mooring_system using (true) with check (true);
create policy owned on job_schedule for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on mail_message for all to mooring_system using (true) with check (true);
create policy owned on mail_message for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy written on mail_message for insert to mooring_app with check (true);
create policy everything on merchant_maintenance for all to mooring_system using (true) with check (true);
create policy owned on merchant_maintenance for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on merchant_merchant for all to mooring_system using (true) with check (true);
create policy owned on merchant_merchant for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on merchant_photo for all to mooring_system using (true) with check (true);
create policy owned on merchant_photo for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on merchant_shop for all to mooring_system using (true) with check (true);
create policy owned on merchant_shop for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on message_notice for all to mooring_system using (true) with check (true);
create policy owned on message_notice for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on message_notice_file for all to mooring_system using (true) with check (true);
create policy owned on message_notice_file for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on order_entry for all to mooring_system using (true) with check (true);
create policy internal on order_entry as restrictive for select to mooring_app using (((NOT internal) OR (EXISTS ( SELECT
   FROM order_order o
  WHERE ((o.id = order_entry.order_id) AND order_is_side(order_entry.side, o.dept_path, o.partner_path) AND (order_entry.dept_path =
        CASE order_entry.side
            WHEN 'customer'::text THEN o.dept_path
            ELSE o.partner_path
        END))))));
create policy owned on order_entry for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy service on order_entry for select to mooring_app using (((EXISTS ( SELECT
   FROM order_order o
  WHERE (o.id = order_entry.order_id))) AND (NOT internal)));
create policy everything on order_file for all to mooring_system using (true) with check (true);
create policy internal on order_file as restrictive for select to mooring_app using (((entry_id IS NULL) OR (EXISTS ( SELECT
   FROM order_entry e
  WHERE (e.id = order_file.entry_id)))));
create policy owned on order_file for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy service on order_file for select to mooring_app using ((EXISTS ( SELECT
   FROM order_order o
  WHERE (o.id = order_file.order_id))));
create policy everything on order_order for all to mooring_system using (true) with check (true);
create policy owned on order_order for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy service on order_order for select to mooring_app using (((partner_path >= scope_path()) AND (partner_path < (scope_path() || '~'::text))));
create policy ancestors on org_dept for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy everything on org_dept for all to mooring_system using (true) with check (true);
create policy owned on org_dept for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on org_invite for all to mooring_system using (true) with check (true);
create policy owned on org_invite for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on org_trust for all to mooring_system using (true) with check (true);
create policy owned on org_trust for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on paramfile_file for all to mooring_system using (true) with check (true);
create policy owned on paramfile_file for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on paramfile_given for all to mooring_system using (true) with check (true);
create policy owned on paramfile_given for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on paramfile_level for all to mooring_system using (true) with check (true);
create policy inherited on paramfile_level for select to mooring_app using (((level = 'org'::text) AND (dept_path = ANY (scope_ancestors()))));
create policy owned on paramfile_level for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on paramfile_secret for all to mooring_system using (true) with check (true);
create policy owned on paramfile_secret for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on paramfile_set for all to mooring_system using (true) with check (true);
create policy inherited on paramfile_set for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on paramfile_set for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on paramfile_template for all to mooring_system using (true) with check (true);
create policy inherited on paramfile_template for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on paramfile_template for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on paramfile_template_version for all to mooring_system using (true) with check (true);
create policy inherited on paramfile_template_version for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on paramfile_template_version for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on product_model for all to mooring_system using (true) with check (true);
create policy inherited on product_model for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on product_model for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy shared on product_model for select to mooring_app using ((product_id IN ( SELECT s.product_id
   FROM product_share s
  WHERE (s.side = 'receiver'::text))));
create policy everything on product_product for all to mooring_system using (true) with check (true);
create policy inherited on product_product for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on product_product for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy shared on product_product for select to mooring_app using ((id IN ( SELECT s.product_id
   FROM product_share s
  WHERE (s.side = 'receiver'::text))));
create policy everything on product_share for all to mooring_system using (true) with check (true);
create policy owned on product_share for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy received on product_share for select to mooring_app using (((side = 'receiver'::text) AND (dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[]))));
create policy everything on release_blackout for all to mooring_system using (true) with check (true);
create policy inherited on release_blackout for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on release_blackout for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on rollout_attempt for all to mooring_system using (true) with check (true);
create policy owned on rollout_attempt for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on rollout_difference for all to mooring_system using (true) with check (true);
create policy inherited on rollout_difference for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on rollout_difference for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on rollout_minute for all to mooring_system using (true) with check (true);
create policy owned on rollout_minute for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on rollout_package for all to mooring_system using (true) with check (true);
create policy inherited on rollout_package for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on rollout_package for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on rollout_place for all to mooring_system using (true) with check (true);
create policy owned on rollout_place for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on rollout_result for all to mooring_system using (true) with check (true);
create policy owned on rollout_result for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on rollout_ring for all to mooring_system using (true) with check (true);
create policy inherited on rollout_ring for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on rollout_ring for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on rollout_tally for all to mooring_system using (true) with check (true);
create policy owned on rollout_tally for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on rollout_task for all to mooring_system using (true) with check (true);
create policy inherited on rollout_task for select to mooring_app using ((dept_path = ANY (( SELECT scope_ancestors() AS scope_ancestors)::text[])));
create policy owned on rollout_task for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on rollout_wanted for all to mooring_system using (true) with check (true);
create policy owned on rollout_wanted for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on settings_download_domain for all to mooring_system using (true) with check (true);
create policy owned on settings_download_domain for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on settings_webhook for all to mooring_system using (true) with check (true);
create policy owned on settings_webhook for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on settings_webhook_delivery for all to mooring_system using (true) with check (true);
create policy owned on settings_webhook_delivery for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on sheet_import for all to mooring_system using (true) with check (true);
create policy owned on sheet_import for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on sheet_taken for all to mooring_system using (true) with check (true);
create policy owned on sheet_taken for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on signing_export for all to mooring_system using (true) with check (true);
create policy owned on signing_export for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on signing_job for all to mooring_system using (true) with check (true);
create policy owned on signing_job for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on signing_key for all to mooring_system using (true) with check (true);
create policy owned on signing_key for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on signing_profile for all to mooring_system using (true) with check (true);
create policy owned on signing_profile for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on signing_store for all to mooring_system using (true) with check (true);
create policy owned on signing_store for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on state_change for all to mooring_system using (true) with check (true);
create policy owned on state_change for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on state_change_default for all to mooring_system using (true) with check (true);
create policy owned on state_change_default for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on stats_change for all to mooring_system using (true) with check (true);
create policy owned on stats_change for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on stats_day for all to mooring_system using (true) with check (true);
create policy owned on stats_day for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on stats_hour for all to mooring_system using (true) with check (true);
create policy owned on stats_hour for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on stats_now for all to mooring_system using (true) with check (true);
create policy owned on stats_now for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));
create policy everything on work for all to mooring_system using (true) with check (true);
create policy owned on work for all to mooring_app using (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text)))) with check (((dept_path >= scope_path()) AND (dept_path < (scope_path() || '~'::text))));

-- Triggers

CREATE TRIGGER review_managed AFTER INSERT OR DELETE ON public.access_managed_dept FOR EACH ROW EXECUTE FUNCTION review_managed();
CREATE TRIGGER revision BEFORE UPDATE OF name, type, category, platforms, menus, approves_as, remark ON public.access_role FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER review_role AFTER INSERT OR DELETE ON public.access_user_role FOR EACH ROW EXECUTE FUNCTION review_role();
CREATE TRIGGER review_token AFTER INSERT OR DELETE OR UPDATE OF revoked_at ON public.account_api_token FOR EACH ROW EXECUTE FUNCTION review_token();
CREATE TRIGGER review_moved AFTER UPDATE OF dept_path ON public.account_user FOR EACH ROW WHEN ((old.dept_path <> new.dept_path)) EXECUTE FUNCTION review_moved();
CREATE TRIGGER revision BEFORE UPDATE OF name, email, user_type, dept_id ON public.account_user FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER alert_tally AFTER INSERT ON public.alert_alarm REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION alert_tally_note();
CREATE TRIGGER device_failure_close AFTER UPDATE OF state ON public.alert_alarm FOR EACH ROW WHEN (((new.state = 'closed'::text) AND (old.state <> 'closed'::text) AND (new.device_id IS NOT NULL))) EXECUTE FUNCTION device_failure_of_alarm();
CREATE TRIGGER device_failure_open AFTER INSERT ON public.alert_alarm FOR EACH ROW WHEN (((new.device_id IS NOT NULL) AND (new.state <> 'closed'::text))) EXECUTE FUNCTION device_failure_of_alarm();
CREATE TRIGGER rename BEFORE UPDATE OF dept_id ON public.alert_receiver FOR EACH ROW WHEN ((new.dept_id <> old.dept_id)) EXECUTE FUNCTION alert_rename();
CREATE TRIGGER revision BEFORE UPDATE OF name, user_ids, emails, webhook_url, remark ON public.alert_receiver FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER webhook_owner_deleted BEFORE DELETE ON public.alert_receiver FOR EACH ROW EXECUTE FUNCTION webhook_owner_deleted();
CREATE TRIGGER rename BEFORE UPDATE OF dept_id ON public.alert_rule FOR EACH ROW WHEN ((new.dept_id <> old.dept_id)) EXECUTE FUNCTION alert_rename();
CREATE TRIGGER revision BEFORE UPDATE OF name, kind, params, scope, dept_ids, group_ids, product_ids, priority, for_minutes, clear_minutes, receiver_ids, channels, tell_end, repeat_hours, escalate_minutes, escalate_ids, quiet_from, quiet_to, quiet_through, enabled ON public.alert_rule FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER app_subscription_follow AFTER UPDATE OF dept_path ON public.app_app FOR EACH ROW WHEN ((new.dept_path <> old.dept_path)) EXECUTE FUNCTION app_subscription_follow();
CREATE TRIGGER app_twin BEFORE UPDATE OF dept_id ON public.app_app FOR EACH ROW WHEN ((new.dept_id <> old.dept_id)) EXECUTE FUNCTION app_twin();
CREATE TRIGGER webhook_owner_deleted BEFORE DELETE ON public.app_app FOR EACH ROW EXECUTE FUNCTION webhook_owner_deleted();
CREATE TRIGGER revision BEFORE UPDATE OF contact_name, email, phone, website, about ON public.app_developer FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER revision BEFORE UPDATE OF name, version, product_id, lowest_firmware, file_id, note ON public.app_sdk FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER app_subscription_merge BEFORE UPDATE OF dept_id ON public.app_subscription FOR EACH ROW WHEN ((new.dept_id <> old.dept_id)) EXECUTE FUNCTION app_subscription_merge();
CREATE TRIGGER app_subscription_merged AFTER UPDATE OF dept_id ON public.app_subscription FOR EACH ROW WHEN (((old.state <> new.state) AND (new.state = 'ended'::text))) EXECUTE FUNCTION app_subscription_merged();
CREATE TRIGGER revision BEFORE UPDATE OF app_id, version_id, note, edited_at ON public.app_subscription FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER revision BEFORE UPDATE OF edited_at ON public.app_version FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER due_over BEFORE UPDATE OF step, result ON public.approval_audit FOR EACH ROW EXECUTE FUNCTION approval_due_over();
CREATE TRIGGER approval_config_merge BEFORE UPDATE OF dept_id ON public.approval_config FOR EACH ROW EXECUTE FUNCTION approval_config_merge();
CREATE TRIGGER revision BEFORE UPDATE OF task_type, enabled, hours1, hours2, hours3, when_late ON public.approval_config FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER webhook_audit AFTER INSERT ON public.audit_entry REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION webhook_audit();
CREATE TRIGGER anew BEFORE UPDATE OF state ON public.customer_iot FOR EACH ROW WHEN (((new.state <> old.state) AND ((new.state = 'paused'::text) OR (old.state = ANY (ARRAY['draft'::text, 'paused'::text]))))) EXECUTE FUNCTION customer_iot_anew();
CREATE TRIGGER rename BEFORE UPDATE OF dept_id ON public.customer_iot FOR EACH ROW WHEN ((new.dept_id <> old.dept_id)) EXECUTE FUNCTION customer_iot_rename();
CREATE TRIGGER revision BEFORE UPDATE OF name, endpoint, region, control_endpoint, policy, topic, sign_in, user_name, certificate, ca, secret_sealed, properties, property_names, events, event_names, event_level, presence, product_ids, backlog_days, backlog_rows ON public.customer_iot FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER customer_message_told AFTER INSERT ON public.customer_message REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION customer_message_told();
CREATE TRIGGER orphaned BEFORE UPDATE OF device_id ON public.customer_registration FOR EACH ROW WHEN (((new.device_id IS NULL) AND (old.device_id IS NOT NULL))) EXECUTE FUNCTION customer_registration_orphaned();
CREATE TRIGGER line BEFORE INSERT OR UPDATE OF state ON public.desktop_advert FOR EACH ROW EXECUTE FUNCTION desktop_line();
CREATE TRIGGER revision BEFORE UPDATE OF name, product_id, place, items, from_day, to_day, hours, remark ON public.desktop_advert FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER line BEFORE INSERT OR UPDATE OF state ON public.desktop_customization FOR EACH ROW EXECUTE FUNCTION desktop_line();
CREATE TRIGGER revision BEFORE UPDATE OF name, product_id, boot_picture_id, wallpaper_id, status_bar, navigation_keys, brightness, volume, screen_seconds, locale, time_zone, remark ON public.desktop_customization FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER line BEFORE INSERT OR UPDATE OF state ON public.desktop_desktop FOR EACH ROW EXECUTE FUNCTION desktop_line();
CREATE TRIGGER revision BEFORE UPDATE OF name, product_id, layout, remark ON public.desktop_desktop FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER alert_unmute AFTER UPDATE OF dept_id ON public.device FOR EACH ROW WHEN ((old.dept_id <> new.dept_id)) EXECUTE FUNCTION alert_unmute();
CREATE TRIGGER customer_registration_look AFTER UPDATE OF dept_path, deleted_at, status ON public.device FOR EACH ROW WHEN (((new.dept_path <> old.dept_path) OR (new.deleted_at IS DISTINCT FROM old.deleted_at) OR ((new.status = '4'::text) AND (old.status <> '4'::text)))) EXECUTE FUNCTION customer_registration_look();
CREATE TRIGGER device_app_count AFTER UPDATE OF product_id ON public.device FOR EACH ROW WHEN ((old.product_id <> new.product_id)) EXECUTE FUNCTION device_app_count();
CREATE TRIGGER device_app_count_delete BEFORE DELETE ON public.device FOR EACH ROW EXECUTE FUNCTION device_app_count();
CREATE TRIGGER device_app_follow AFTER UPDATE OF dept_path, deleted_at ON public.device FOR EACH ROW WHEN (((old.dept_path <> new.dept_path) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION device_app_follow();
CREATE TRIGGER device_attention_follow AFTER UPDATE OF status, dept_path, product_id, deleted_at ON public.device FOR EACH ROW WHEN (((new.dept_path <> old.dept_path) OR (new.product_id <> old.product_id) OR (new.deleted_at IS DISTINCT FROM old.deleted_at) OR ((new.status <> old.status) AND (new.status <> ALL (ARRAY['2'::text, '3'::text]))))) EXECUTE FUNCTION device_attention_follow();
CREATE TRIGGER device_begin_config BEFORE INSERT ON public.device FOR EACH ROW WHEN (((new.product_id IS NOT NULL) AND (new.config = '{}'::jsonb))) EXECUTE FUNCTION device_begin_config();
CREATE TRIGGER device_double_begin AFTER INSERT ON public.device REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION device_double_begin();
CREATE TRIGGER device_double_follow AFTER UPDATE OF imei, iccid, deleted_at, dept_path ON public.device FOR EACH ROW WHEN (((new.imei IS DISTINCT FROM old.imei) OR (new.iccid IS DISTINCT FROM old.iccid) OR (new.deleted_at IS DISTINCT FROM old.deleted_at) OR (new.dept_path <> old.dept_path))) EXECUTE FUNCTION device_double_follow();
CREATE TRIGGER device_group_leave AFTER UPDATE OF dept_path, deleted_at ON public.device FOR EACH ROW WHEN (((old.dept_path <> new.dept_path) OR ((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL)))) EXECUTE FUNCTION device_group_leave();
CREATE TRIGGER device_place_insert AFTER INSERT ON public.device REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION device_place_follow();
CREATE TRIGGER device_place_update AFTER UPDATE ON public.device REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION device_place_follow();
CREATE TRIGGER device_shut_insert AFTER INSERT ON public.device REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION device_shut_note();
CREATE TRIGGER device_shut_update AFTER UPDATE ON public.device REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION device_shut_note();
CREATE TRIGGER device_tally_delete AFTER DELETE ON public.device REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION device_tally_note();
CREATE TRIGGER device_tally_insert AFTER INSERT ON public.device REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION device_tally_note();
CREATE TRIGGER device_tally_update AFTER UPDATE ON public.device REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION device_tally_note();
CREATE TRIGGER geofence_leave AFTER UPDATE OF dept_id, dept_path, deleted_at ON public.device FOR EACH ROW WHEN (((old.dept_path <> new.dept_path) OR ((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL)))) EXECUTE FUNCTION geofence_leave();
CREATE TRIGGER geofence_put_away AFTER UPDATE OF status ON public.device FOR EACH ROW WHEN (((new.status = ANY (ARRAY['4'::text, '5'::text])) AND (old.status <> new.status))) EXECUTE FUNCTION geofence_put_away();
CREATE TRIGGER geofence_shop AFTER UPDATE OF merchant_id, shop_id ON public.device FOR EACH ROW WHEN (((old.merchant_id IS DISTINCT FROM new.merchant_id) OR (old.shop_id IS DISTINCT FROM new.shop_id))) EXECUTE FUNCTION geofence_shop();
CREATE TRIGGER hardware_test_leave AFTER UPDATE OF dept_id, deleted_at ON public.device FOR EACH ROW WHEN (((old.dept_id <> new.dept_id) OR ((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL)))) EXECUTE FUNCTION hardware_test_leave();
CREATE TRIGGER inventory_stock_added AFTER INSERT ON public.device FOR EACH ROW WHEN ((new.status = '5'::text)) EXECUTE FUNCTION inventory_stock_follow();
CREATE TRIGGER inventory_stock_changed AFTER UPDATE OF status, deleted_at, dept_id, dept_path, product_id, sn ON public.device FOR EACH ROW WHEN (((new.status = '5'::text) OR (old.status = '5'::text))) EXECUTE FUNCTION inventory_stock_follow();
CREATE TRIGGER left_merchant BEFORE UPDATE OF dept_path ON public.device FOR EACH ROW WHEN (((old.merchant_id IS NOT NULL) AND (new.dept_path <> old.dept_path))) EXECUTE FUNCTION device_left_merchant();
CREATE TRIGGER params_moved AFTER UPDATE OF dept_path ON public.device FOR EACH ROW WHEN ((new.dept_path <> old.dept_path)) EXECUTE FUNCTION paramfile_level_moved();
CREATE TRIGGER params_reported AFTER UPDATE OF settings ON public.device FOR EACH ROW WHEN ((new.settings IS DISTINCT FROM old.settings)) EXECUTE FUNCTION paramfile_given_reported();
CREATE TRIGGER params_stand AFTER UPDATE ON public.device REFERENCING OLD TABLE AS moved_from NEW TABLE AS moved_to FOR EACH STATEMENT EXECUTE FUNCTION paramfile_device_stands();
CREATE TRIGGER put_away BEFORE UPDATE OF status ON public.device FOR EACH ROW WHEN (((new.status = '5'::text) AND (old.status <> '5'::text) AND (new.merchant_id IS NOT NULL))) EXECUTE FUNCTION device_put_away();
CREATE TRIGGER revision BEFORE UPDATE OF name, tags, remark, notes ON public.device FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER rollout_wanted_follow AFTER UPDATE OF dept_path ON public.device FOR EACH ROW WHEN ((old.dept_path <> new.dept_path)) EXECUTE FUNCTION rollout_wanted_follow();
CREATE TRIGGER rollout_wanted_leave AFTER DELETE ON public.device FOR EACH ROW EXECUTE FUNCTION rollout_wanted_follow();
CREATE TRIGGER stats_activated AFTER UPDATE OF activated_at ON public.device FOR EACH ROW WHEN (((new.activated_at IS NOT NULL) AND (new.activated_at IS DISTINCT FROM old.activated_at))) EXECUTE FUNCTION stats_activated_note();
CREATE TRIGGER stats_parts_delete AFTER DELETE ON public.device FOR EACH ROW WHEN (((old.patch IS NOT NULL) OR (old.modules <> '{}'::jsonb))) EXECUTE FUNCTION stats_parts_note();
CREATE TRIGGER stats_parts_insert AFTER INSERT ON public.device FOR EACH ROW WHEN (((new.patch IS NOT NULL) OR (new.modules <> '{}'::jsonb))) EXECUTE FUNCTION stats_parts_note();
CREATE TRIGGER stats_parts_update AFTER UPDATE OF patch, modules, dept_path, product_id, deleted_at ON public.device FOR EACH ROW WHEN ((((((old.patch IS DISTINCT FROM new.patch) OR (old.modules IS DISTINCT FROM new.modules)) OR (old.dept_path IS DISTINCT FROM new.dept_path)) OR (old.product_id IS DISTINCT FROM new.product_id)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION stats_parts_note();
CREATE TRIGGER stats_app_delete AFTER DELETE ON public.device_app REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION stats_app_note();
CREATE TRIGGER stats_app_insert AFTER INSERT ON public.device_app REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION stats_app_note();
CREATE TRIGGER stats_app_update AFTER UPDATE ON public.device_app REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION stats_app_note();
CREATE TRIGGER stats_attention_delete AFTER DELETE ON public.device_attention REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION stats_attention_note();
CREATE TRIGGER stats_attention_insert AFTER INSERT ON public.device_attention REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION stats_attention_note();
CREATE TRIGGER stats_attention_update AFTER UPDATE ON public.device_attention REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION stats_attention_note();
CREATE TRIGGER customer_registration_renewed AFTER INSERT OR UPDATE OF revoked_at ON public.device_credential FOR EACH ROW EXECUTE FUNCTION customer_registration_renewed();
CREATE TRIGGER stays BEFORE UPDATE OF device_id, event, entry_type, from_name, to_name, document, by_name, remark, at ON public.device_custody FOR EACH ROW EXECUTE FUNCTION device_custody_stays();
CREATE TRIGGER stays_there BEFORE DELETE ON public.device_custody FOR EACH ROW EXECUTE FUNCTION device_custody_stays();
CREATE TRIGGER revision BEFORE UPDATE OF name, sn_prefix, product_id, dept_id, network, only_expected, only_factory, enabled, remark ON public.device_enrol_rule FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER revision BEFORE UPDATE OF name, certificate, sn_prefix, product_id, dept_id, revoked, enabled, remark ON public.device_factory FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER device_failure_delete AFTER DELETE ON public.device_failure REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION device_failure_note();
CREATE TRIGGER device_failure_insert AFTER INSERT ON public.device_failure REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION device_failure_note();
CREATE TRIGGER device_failure_update AFTER UPDATE ON public.device_failure REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION device_failure_note();
CREATE TRIGGER rename BEFORE UPDATE OF dept_id ON public.device_group FOR EACH ROW WHEN ((new.dept_id <> old.dept_id)) EXECUTE FUNCTION device_group_rename();
CREATE TRIGGER revision BEFORE UPDATE OF name, rule, remark ON public.device_group FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER device_group_member_delete AFTER DELETE ON public.device_group_member REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION device_group_tally_note();
CREATE TRIGGER device_group_member_insert AFTER INSERT ON public.device_group_member REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION device_group_tally_note();
CREATE TRIGGER device_map_delete AFTER DELETE ON public.device_place REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION device_map_note();
CREATE TRIGGER device_map_insert AFTER INSERT ON public.device_place REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION device_map_note();
CREATE TRIGGER device_map_update AFTER UPDATE ON public.device_place REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION device_map_note();
CREATE TRIGGER file_usage_delete AFTER DELETE ON public.file_file REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION file_usage_note('r.kind');
CREATE TRIGGER file_usage_insert AFTER INSERT ON public.file_file REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION file_usage_note('r.kind');
CREATE TRIGGER file_usage_update AFTER UPDATE ON public.file_file REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION file_usage_note('r.kind');
CREATE TRIGGER device_failure AFTER UPDATE OF state ON public.gateway_outbox FOR EACH ROW WHEN (((new.topic = 'command'::text) AND (new.state = 'failed'::text) AND (old.state <> 'failed'::text))) EXECUTE FUNCTION device_failure_of_command();
CREATE TRIGGER hardware_test_withdrawn AFTER UPDATE OF state ON public.gateway_outbox FOR EACH ROW WHEN (((new.topic = 'command'::text) AND (new.kind = 'hardwareTest'::text) AND (new.state = 'withdrawn'::text) AND (old.state <> 'withdrawn'::text))) EXECUTE FUNCTION hardware_test_withdrawn();
CREATE TRIGGER changed_delete AFTER DELETE ON public.geofence REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION geofence_changed();
CREATE TRIGGER changed_insert AFTER INSERT ON public.geofence REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION geofence_changed();
CREATE TRIGGER changed_update AFTER UPDATE ON public.geofence REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION geofence_changed();
CREATE TRIGGER rename BEFORE UPDATE OF dept_id ON public.geofence FOR EACH ROW WHEN ((new.dept_id <> old.dept_id)) EXECUTE FUNCTION alert_rename();
CREATE TRIGGER revision BEFORE UPDATE OF name, shape, lat, lon, radius, area, audience, group_ids, device_ids, alarm_on, out_minutes, margin, fixes, settle_minutes, priority, receiver_ids, channels, tell_end, repeat_hours, escalate_minutes, escalate_ids, quiet_from, quiet_to, quiet_through, enabled ON public.geofence FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER rule_follows AFTER UPDATE OF name, dept_id, priority, receiver_ids, channels, tell_end, repeat_hours, escalate_minutes, escalate_ids, quiet_from, quiet_to, quiet_through, enabled ON public.geofence FOR EACH ROW EXECUTE FUNCTION geofence_rule();
CREATE TRIGGER rule_gone AFTER DELETE ON public.geofence FOR EACH ROW EXECUTE FUNCTION geofence_rule();
CREATE TRIGGER rule_made BEFORE INSERT ON public.geofence FOR EACH ROW EXECUTE FUNCTION geofence_rule();
CREATE TRIGGER tally_delete AFTER DELETE ON public.geofence_state REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION geofence_tally_note();
CREATE TRIGGER tally_insert AFTER INSERT ON public.geofence_state REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION geofence_tally_note();
CREATE TRIGGER tally_update AFTER UPDATE ON public.geofence_state REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION geofence_tally_note();
CREATE TRIGGER revision BEFORE UPDATE OF category_id, "position", title, title_zh, body, body_zh, translations, routes, files, open ON public.help_article FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER revision BEFORE UPDATE OF name, name_zh, names, parent_id, "position" ON public.help_category FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER counted_added AFTER INSERT ON public.inventory_arrival REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION inventory_arrival_added();
CREATE TRIGGER counted_changed AFTER UPDATE ON public.inventory_arrival REFERENCING OLD TABLE AS left_behind NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION inventory_arrival_changed();
CREATE TRIGGER renumber BEFORE UPDATE OF dept_id ON public.inventory_dispatch FOR EACH ROW WHEN ((new.dept_id <> old.dept_id)) EXECUTE FUNCTION inventory_renumber();
CREATE TRIGGER revision BEFORE UPDATE OF buyer, currency, price, sold_at, warranty_until, remark ON public.inventory_sale FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER rename BEFORE UPDATE OF dept_id ON public.inventory_sync_source FOR EACH ROW WHEN ((new.dept_id <> old.dept_id)) EXECUTE FUNCTION inventory_sync_rename();
CREATE TRIGGER revision BEFORE UPDATE OF name, url, sign_in, token_sealed, schedule, adds_new ON public.inventory_sync_source FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER counted_added AFTER INSERT ON public.inventory_transfer REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION inventory_transfer_added();
CREATE TRIGGER counted_changed AFTER UPDATE ON public.inventory_transfer REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION inventory_transfer_changed();
CREATE TRIGGER mirror_added AFTER INSERT ON public.inventory_transfer FOR EACH ROW WHEN ((new.sent_at IS NOT NULL)) EXECUTE FUNCTION inventory_mirror();
CREATE TRIGGER mirror_changed AFTER UPDATE OF state, sent_at, reason, note, superseded ON public.inventory_transfer FOR EACH ROW WHEN ((new.sent_at IS NOT NULL)) EXECUTE FUNCTION inventory_mirror();
CREATE TRIGGER revision BEFORE UPDATE OF cron ON public.job_schedule FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER revision BEFORE UPDATE OF kind, at, engineer, found, work_done, currency, parts, photos ON public.merchant_maintenance FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER forget_deleted BEFORE DELETE ON public.merchant_merchant FOR EACH ROW EXECUTE FUNCTION merchant_forget_deleted();
CREATE TRIGGER geofence_shop AFTER UPDATE OF lat, lon ON public.merchant_merchant FOR EACH ROW WHEN (((old.lat IS DISTINCT FROM new.lat) OR (old.lon IS DISTINCT FROM new.lon))) EXECUTE FUNCTION geofence_shop();
CREATE TRIGGER renumber BEFORE UPDATE OF dept_id ON public.merchant_merchant FOR EACH ROW WHEN ((new.dept_id <> old.dept_id)) EXECUTE FUNCTION merchant_renumber();
CREATE TRIGGER revision BEFORE UPDATE OF number, name, kind, contact_name, phone, email, country, region, city, address, postcode, lat, lon, remark ON public.merchant_merchant FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER stands_elsewhere AFTER UPDATE OF lat, lon ON public.merchant_merchant FOR EACH ROW WHEN (((new.lat IS DISTINCT FROM old.lat) OR (new.lon IS DISTINCT FROM old.lon))) EXECUTE FUNCTION merchant_stands_elsewhere();
CREATE TRIGGER forget_deleted BEFORE DELETE ON public.merchant_shop FOR EACH ROW EXECUTE FUNCTION shop_forget_deleted();
CREATE TRIGGER geofence_shop AFTER UPDATE OF lat, lon ON public.merchant_shop FOR EACH ROW WHEN (((old.lat IS DISTINCT FROM new.lat) OR (old.lon IS DISTINCT FROM new.lon))) EXECUTE FUNCTION geofence_shop();
CREATE TRIGGER revision BEFORE UPDATE OF number, name, address, city, phone, time_zone, opening_hours, lat, lon, remark ON public.merchant_shop FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER stands_elsewhere AFTER UPDATE OF lat, lon ON public.merchant_shop FOR EACH ROW WHEN (((new.lat IS DISTINCT FROM old.lat) OR (new.lon IS DISTINCT FROM old.lon))) EXECUTE FUNCTION merchant_stands_elsewhere();
CREATE TRIGGER revision BEFORE UPDATE OF title, body, priority, recipients, dept_ids, role_ids, user_ids, channels, starts_at, ends_at, files ON public.message_notice FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER add_up BEFORE INSERT OR UPDATE OF parts, labour ON public.order_order FOR EACH ROW EXECUTE FUNCTION order_add_up();
CREATE TRIGGER order_take_partner BEFORE INSERT OR UPDATE OF partner_id ON public.order_order FOR EACH ROW EXECUTE FUNCTION order_take_partner();
CREATE TRIGGER renumber BEFORE UPDATE OF dept_id ON public.order_order FOR EACH ROW WHEN ((new.dept_id <> old.dept_id)) EXECUTE FUNCTION order_renumber();
CREATE TRIGGER revision BEFORE UPDATE OF partner_id, contact_name, phone, address, fault, description, photos, due_on, out_carrier, out_number, back_carrier, back_number, engineer_id, diagnosis, currency, parts, labour, warranty, warranty_reason, costs ON public.order_order FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER app_market_follow AFTER UPDATE OF merged_into ON public.org_dept FOR EACH ROW WHEN (((new.merged_into IS DISTINCT FROM old.merged_into) AND (new.merged_into IS NOT NULL))) EXECUTE FUNCTION app_market_follow();
CREATE TRIGGER order_follow_partner AFTER UPDATE OF dept_path, merged_into ON public.org_dept FOR EACH ROW WHEN (((new.dept_path IS DISTINCT FROM old.dept_path) OR (new.merged_into IS DISTINCT FROM old.merged_into))) EXECUTE FUNCTION order_follow_partner();
CREATE TRIGGER order_hold_partner BEFORE UPDATE OF merged_into ON public.org_dept FOR EACH ROW WHEN ((new.merged_into IS DISTINCT FROM old.merged_into)) EXECUTE FUNCTION order_hold_partner();
CREATE TRIGGER revision BEFORE UPDATE OF name, time_zone, contact_name, contact_phone, contact_email, address, remark ON public.org_dept FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER review_trust AFTER INSERT OR DELETE OR UPDATE OF state ON public.org_trust FOR EACH ROW EXECUTE FUNCTION review_trust();
CREATE TRIGGER file_usage_delete AFTER DELETE ON public.paramfile_file REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION file_usage_note('''paramSet''');
CREATE TRIGGER file_usage_insert AFTER INSERT ON public.paramfile_file REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION file_usage_note('''paramSet''');
CREATE TRIGGER file_usage_update AFTER UPDATE ON public.paramfile_file REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION file_usage_note('''paramSet''');
CREATE TRIGGER wanted BEFORE INSERT OR UPDATE OF wanted ON public.paramfile_given FOR EACH ROW EXECUTE FUNCTION paramfile_given_wanted();
CREATE TRIGGER changed AFTER INSERT OR DELETE ON public.paramfile_level FOR EACH ROW EXECUTE FUNCTION paramfile_level_changed();
CREATE TRIGGER changed_again AFTER UPDATE OF "values", locked, secret_keys, sealed, device_id ON public.paramfile_level FOR EACH ROW EXECUTE FUNCTION paramfile_level_changed();
CREATE TRIGGER merged BEFORE UPDATE OF dept_id ON public.paramfile_level FOR EACH ROW WHEN (((new.level = 'org'::text) AND (new.dept_id <> old.dept_id))) EXECUTE FUNCTION paramfile_level_merged();
CREATE TRIGGER revision BEFORE UPDATE OF "values", locked, secret_keys, sealed ON public.paramfile_level FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER looked_again AFTER UPDATE OF fields ON public.paramfile_template FOR EACH ROW WHEN ((new.fields IS DISTINCT FROM old.fields)) EXECUTE FUNCTION paramfile_fields_changed();
CREATE TRIGGER revision BEFORE UPDATE OF name, fields, remark ON public.paramfile_template FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER saved AFTER INSERT ON public.paramfile_template FOR EACH ROW EXECUTE FUNCTION paramfile_template_saved();
CREATE TRIGGER saved_again AFTER UPDATE OF fields ON public.paramfile_template FOR EACH ROW WHEN ((new.fields IS DISTINCT FROM old.fields)) EXECUTE FUNCTION paramfile_template_saved();
CREATE TRIGGER revision BEFORE UPDATE OF code, name, country, website, remark ON public.product_firm FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER revision BEFORE UPDATE OF model, note ON public.product_model FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER product_firm_follow BEFORE INSERT OR UPDATE OF firm, firm_id ON public.product_product FOR EACH ROW EXECUTE FUNCTION product_firm_follow();
CREATE TRIGGER revision BEFORE UPDATE OF name, category, firm, firm_id, industry, networks, package_kinds, heartbeat_seconds, remark, photo_id, low_battery_percent, storage_full_percent, silent_hours, config, android_sdk, abis ON public.product_product FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER revision BEFORE UPDATE OF name, from_day, to_day, remark ON public.release_blackout FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER file_usage_delete AFTER DELETE ON public.rollout_difference REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION file_usage_note('''difference''');
CREATE TRIGGER file_usage_insert AFTER INSERT ON public.rollout_difference REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION file_usage_note('''difference''');
CREATE TRIGGER file_usage_update AFTER UPDATE ON public.rollout_difference REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION file_usage_note('''difference''');
CREATE TRIGGER device_failure AFTER UPDATE ON public.rollout_result REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION device_failure_of_results();
CREATE TRIGGER rollout_tally_delete AFTER DELETE ON public.rollout_result REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION rollout_tally_note();
CREATE TRIGGER rollout_tally_insert AFTER INSERT ON public.rollout_result REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION rollout_tally_note();
CREATE TRIGGER rollout_tally_update AFTER UPDATE ON public.rollout_result REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION rollout_tally_note();
CREATE TRIGGER rollout_wanted_delete AFTER DELETE ON public.rollout_result REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION rollout_wanted_busy();
CREATE TRIGGER rollout_wanted_insert AFTER INSERT ON public.rollout_result REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION rollout_wanted_busy();
CREATE TRIGGER rollout_wanted_update AFTER UPDATE ON public.rollout_result REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION rollout_wanted_busy();
CREATE TRIGGER stats_result AFTER UPDATE ON public.rollout_result REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION stats_result_note();
CREATE TRIGGER paramfile_secret_changed AFTER UPDATE OF content ON public.rollout_task FOR EACH ROW WHEN (((old.param_secret_id IS NOT NULL) AND (old.param_secret_id IS DISTINCT FROM new.param_secret_id))) EXECUTE FUNCTION paramfile_secret_left();
CREATE TRIGGER paramfile_secret_deleted AFTER DELETE ON public.rollout_task FOR EACH ROW WHEN ((old.param_secret_id IS NOT NULL)) EXECUTE FUNCTION paramfile_secret_left();
CREATE TRIGGER revision BEFORE UPDATE OF name, package_id, product_id, content, release_scope, scope, delivery, start_at, expires_at, remark ON public.rollout_task FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER rollout_task_delete AFTER DELETE ON public.rollout_task REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION rollout_task_gone();
CREATE TRIGGER rollout_wanted_gone AFTER DELETE ON public.rollout_task FOR EACH ROW EXECUTE FUNCTION rollout_wanted_again();
CREATE TRIGGER rollout_wanted_moved AFTER UPDATE OF state, gathered_at ON public.rollout_task FOR EACH ROW WHEN (((old.state <> new.state) OR ((old.gathered_at IS NULL) <> (new.gathered_at IS NULL)))) EXECUTE FUNCTION rollout_wanted_again();
CREATE TRIGGER revision BEFORE UPDATE OF name, remark ON public.settings_dict FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER revision BEFORE UPDATE OF value, labels, sort, enabled, picture ON public.settings_dict_entry FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER revision BEFORE UPDATE OF name, url, dept_id, enabled, checked ON public.settings_download_domain FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER settings_domain_places AFTER UPDATE OF url, enabled, checked, dept_id, dept_path ON public.settings_download_domain FOR EACH ROW WHEN (((old.url <> new.url) OR (old.dept_path <> new.dept_path) OR (NOT new.enabled) OR (NOT new.checked))) EXECUTE FUNCTION settings_domain_places();
CREATE TRIGGER gone BEFORE UPDATE ON public.settings_webhook FOR EACH ROW WHEN ((new.deleted_at IS NOT NULL)) EXECUTE FUNCTION webhook_gone();
CREATE TRIGGER revision BEFORE UPDATE OF name, url, events, dept_id, enabled ON public.settings_webhook FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER file_usage_delete AFTER DELETE ON public.signing_job REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION file_usage_note('''signing''', 'signing_job_bytes(r.keeps_before, r.size, r.kept_until, r.result_size)', 'r.keeps_before or r.kept_until is not null');
CREATE TRIGGER file_usage_insert AFTER INSERT ON public.signing_job REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION file_usage_note('''signing''', 'signing_job_bytes(r.keeps_before, r.size, r.kept_until, r.result_size)', 'r.keeps_before or r.kept_until is not null');
CREATE TRIGGER file_usage_update AFTER UPDATE ON public.signing_job REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION file_usage_note('''signing''', 'signing_job_bytes(r.keeps_before, r.size, r.kept_until, r.result_size)', 'r.keeps_before or r.kept_until is not null');
CREATE TRIGGER final BEFORE UPDATE ON public.signing_job FOR EACH ROW WHEN ((old.state = ANY (ARRAY['signed'::text, 'failed'::text, 'refused'::text, 'withdrawn'::text, 'expired'::text]))) EXECUTE FUNCTION signing_job_final();
CREATE TRIGGER export_end AFTER UPDATE OF state ON public.signing_key FOR EACH ROW WHEN ((new.state <> old.state)) EXECUTE FUNCTION signing_export_end();
CREATE TRIGGER revision BEFORE UPDATE OF package_names, profiles, product_ids, most_uses, hour_from, hour_to ON public.signing_key FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER rename BEFORE UPDATE OF dept_id ON public.signing_profile FOR EACH ROW WHEN ((new.dept_id <> old.dept_id)) EXECUTE FUNCTION signing_profile_rename();
CREATE TRIGGER revision BEFORE UPDATE OF name, product_ids, root, key_id, remark, time_url, time_root, certificates ON public.signing_profile FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER rename BEFORE UPDATE OF dept_id ON public.signing_store FOR EACH ROW WHEN ((new.dept_id <> old.dept_id)) EXECUTE FUNCTION signing_store_rename();
CREATE TRIGGER revision BEFORE UPDATE OF name, remark ON public.signing_store FOR EACH ROW EXECUTE FUNCTION revision_next();
CREATE TRIGGER alert_signals AFTER INSERT ON public.state_change REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION alert_signals();
CREATE TRIGGER app_callback_deliveries AFTER INSERT ON public.state_change REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_callback_deliveries();
CREATE TRIGGER customer_presence AFTER INSERT ON public.state_change REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION customer_presence();
CREATE TRIGGER webhook_deliveries AFTER INSERT ON public.state_change REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION webhook_deliveries();

-- Rights of the bound roles

grant delete, insert, select, update on access_grant_review to mooring_app;
grant delete, insert, select, update on access_grant_review to mooring_system;
grant delete, insert, select, update on access_managed_dept to mooring_app;
grant delete, insert, select, update on access_managed_dept to mooring_system;
grant delete, insert, select, update on access_role to mooring_app;
grant delete, insert, select, update on access_role to mooring_system;
grant delete, insert, select, update on access_user_role to mooring_app;
grant delete, insert, select, update on access_user_role to mooring_system;
grant delete, insert, select, update on account_api_token to mooring_app;
grant delete, insert, select, update on account_api_token to mooring_system;
grant insert on account_given to mooring_app;
grant delete, insert, select, update on account_given to mooring_system;
grant delete, insert, select, update on account_identity to mooring_system;
grant delete, insert, select, update on account_invite to mooring_app;
grant delete, insert, select, update on account_invite to mooring_system;
grant delete, insert, select, update on account_passkey to mooring_system;
grant delete, insert, select, update on account_password_history to mooring_system;
grant delete, insert, select, update on account_real_name to mooring_system;
grant delete, insert, select, update on account_real_name_picture to mooring_system;
grant delete, insert, select, update on account_real_name_request to mooring_system;
grant delete, insert, select, update on account_recovery_code to mooring_system;
grant delete, insert, select, update on account_totp to mooring_system;
grant delete, insert, select, update on account_user to mooring_app;
grant delete, insert, select, update on account_user to mooring_system;
grant delete, insert, select, update on alert_alarm to mooring_app;
grant delete, insert, select, update on alert_alarm to mooring_system;
grant delete, insert, select, update on alert_held to mooring_app;
grant delete, insert, select, update on alert_held to mooring_system;
grant delete, insert, select, update on alert_lost to mooring_app;
grant delete, insert, select, update on alert_lost to mooring_system;
grant delete, insert, select, update on alert_mail_hour to mooring_app;
grant delete, insert, select, update on alert_mail_hour to mooring_system;
grant delete, insert, select, update on alert_mute to mooring_app;
grant delete, insert, select, update on alert_mute to mooring_system;
grant delete, insert, select, update on alert_pending to mooring_app;
grant delete, insert, select, update on alert_pending to mooring_system;
grant delete, insert, select, update on alert_receiver to mooring_app;
grant delete, insert, select, update on alert_receiver to mooring_system;
grant delete, insert, select, update on alert_rule to mooring_app;
grant delete, insert, select, update on alert_rule to mooring_system;
grant delete, insert, select, update on alert_signal to mooring_app;
grant delete, insert, select, update on alert_signal to mooring_system;
grant delete, insert, select, update on alert_tally to mooring_app;
grant delete, insert, select, update on alert_tally to mooring_system;
grant delete, insert, select, update on alert_walk to mooring_app;
grant delete, insert, select, update on alert_walk to mooring_system;
grant delete, insert, select, update on app_app to mooring_app;
grant delete, insert, select, update on app_app to mooring_system;
grant delete, insert, select, update on app_developer to mooring_app;
grant delete, insert, select, update on app_developer to mooring_system;
grant delete, insert, select, update on app_sdk to mooring_app;
grant delete, insert, select, update on app_sdk to mooring_system;
grant delete, insert, select, update on app_subscription to mooring_app;
grant delete, insert, select, update on app_subscription to mooring_system;
grant delete, insert, select, update on app_version to mooring_app;
grant delete, insert, select, update on app_version to mooring_system;
grant delete, insert, select, update on app_version_dept to mooring_app;
grant delete, insert, select, update on app_version_dept to mooring_system;
grant delete, insert, select, update on app_version_file to mooring_app;
grant delete, insert, select, update on app_version_file to mooring_system;
grant delete, insert, select, update on app_version_product to mooring_app;
grant delete, insert, select, update on app_version_product to mooring_system;
grant delete, insert, select, update on app_version_sn to mooring_app;
grant delete, insert, select, update on app_version_sn to mooring_system;
grant delete, insert, select, update on approval_absence to mooring_app;
grant delete, insert, select, update on approval_absence to mooring_system;
grant delete, insert, select, update on approval_application to mooring_app;
grant delete, insert, select, update on approval_application to mooring_system;
grant delete, insert, select, update on approval_audit to mooring_app;
grant delete, insert, select, update on approval_audit to mooring_system;
grant delete, insert, select, update on approval_config to mooring_app;
grant delete, insert, select, update on approval_config to mooring_system;
grant delete, insert, select, update on approval_file to mooring_app;
grant delete, insert, select, update on approval_file to mooring_system;
grant delete, insert, select, update on approval_record to mooring_app;
grant delete, insert, select, update on approval_record to mooring_system;
grant delete, insert, select, update on approval_sign to mooring_app;
grant delete, insert, select, update on approval_sign to mooring_system;
grant insert, select on audit_entry to mooring_app;
grant delete, insert, select, update on audit_entry to mooring_system;
grant delete, insert, select, update on audit_forward to mooring_system;
grant insert, select on audit_head to mooring_system;
grant delete, insert, select, update on audit_refusal to mooring_system;
grant delete, insert, select, update on audit_visit to mooring_app;
grant delete, insert, select, update on audit_visit to mooring_system;
grant delete, insert, select, update on auth_attempt to mooring_system;
grant delete, insert, select, update on auth_captcha to mooring_system;
grant delete, insert, select, update on auth_code to mooring_system;
grant delete, insert, select, update on auth_policy to mooring_system;
grant delete, insert, select, update on auth_registration to mooring_system;
grant delete, insert, select, update on auth_seal_key to mooring_system;
grant delete, insert, select, update on auth_seal_nonce to mooring_system;
grant delete, insert, select, update on auth_session to mooring_system;
grant delete, insert, select, update on auth_ticket to mooring_system;
grant delete, insert, select, update on customer_hour to mooring_app;
grant delete, insert, select, update on customer_hour to mooring_system;
grant delete, insert, select, update on customer_iot to mooring_app;
grant delete, insert, select, update on customer_iot to mooring_system;
grant delete, insert, select, update on customer_message to mooring_app;
grant delete, insert, select, update on customer_message to mooring_system;
grant delete, insert, select, update on customer_registration to mooring_app;
grant delete, insert, select, update on customer_registration to mooring_system;
grant delete, insert, select, update on customer_sequence to mooring_system;
grant delete, insert, select, update on desktop_advert to mooring_app;
grant delete, insert, select, update on desktop_advert to mooring_system;
grant delete, insert, select, update on desktop_customization to mooring_app;
grant delete, insert, select, update on desktop_customization to mooring_system;
grant delete, insert, select, update on desktop_desktop to mooring_app;
grant delete, insert, select, update on desktop_desktop to mooring_system;
grant delete, insert, select, update on desktop_file to mooring_app;
grant delete, insert, select, update on desktop_file to mooring_system;
grant delete, insert, select, update on desktop_line to mooring_system;
grant delete, insert, select, update on device to mooring_app;
grant delete, insert, select, update on device to mooring_system;
grant delete, insert, select, update on device_app to mooring_app;
grant delete, insert, select, update on device_app to mooring_system;
grant delete, insert, select, update on device_attention to mooring_app;
grant delete, insert, select, update on device_attention to mooring_system;
grant delete, insert, select, update on device_attention_walk to mooring_system;
grant select on device_contact to mooring_app;
grant delete, insert, select, update on device_contact to mooring_system;
grant delete, insert, select, update on device_credential to mooring_app;
grant delete, insert, select, update on device_credential to mooring_system;
grant delete, insert, select, update on device_custody to mooring_app;
grant delete, insert, select, update on device_custody to mooring_system;
grant select on device_double to mooring_app;
grant delete, insert, select, update on device_double to mooring_system;
grant delete, insert, select, update on device_double_turn to mooring_system;
grant delete, insert, select, update on device_enrol_code to mooring_app;
grant delete, insert, select, update on device_enrol_code to mooring_system;
grant delete, insert, select, update on device_enrol_rule to mooring_app;
grant delete, insert, select, update on device_enrol_rule to mooring_system;
grant delete, insert, select, update on device_event to mooring_app;
grant delete, insert, select, update on device_event to mooring_system;
grant delete, insert, select, update on device_event_default to mooring_app;
grant delete, insert, select, update on device_event_default to mooring_system;
grant delete, insert, select, update on device_factory to mooring_app;
grant delete, insert, select, update on device_factory to mooring_system;
grant select on device_failure to mooring_app;
grant delete, insert, select, update on device_failure to mooring_system;
grant select on device_failure_change to mooring_app;
grant delete, insert, select, update on device_failure_change to mooring_system;
grant select on device_failure_sum to mooring_app;
grant delete, insert, select, update on device_failure_sum to mooring_system;
grant delete, insert, select, update on device_gone to mooring_system;
grant delete, insert, select, update on device_group to mooring_app;
grant delete, insert, select, update on device_group to mooring_system;
grant delete, insert, select, update on device_group_member to mooring_app;
grant delete, insert, select, update on device_group_member to mooring_system;
grant delete, insert, select, update on device_group_tally to mooring_app;
grant delete, insert, select, update on device_group_tally to mooring_system;
grant delete, insert, select, update on device_health to mooring_app;
grant delete, insert, select, update on device_health to mooring_system;
grant delete, insert, select, update on device_health_default to mooring_app;
grant delete, insert, select, update on device_health_default to mooring_system;
grant delete, insert, select, update on device_health_walk to mooring_system;
grant delete, insert, select, update on device_log to mooring_app;
grant delete, insert, select, update on device_log to mooring_system;
grant select on device_log_hour to mooring_app;
grant delete, insert, select, update on device_log_hour to mooring_system;
grant select on device_log_line to mooring_app;
grant delete, insert, select, update on device_log_line to mooring_system;
grant select on device_log_line_default to mooring_app;
grant delete, insert, select, update on device_log_line_default to mooring_system;
grant select on device_log_pull to mooring_app;
grant delete, insert, select, update on device_log_pull to mooring_system;
grant select on device_map_cell to mooring_app;
grant delete, insert, select, update on device_map_cell to mooring_system;
grant select on device_map_change to mooring_app;
grant delete, insert, select, update on device_map_change to mooring_system;
grant delete, insert, select, update on device_nonce to mooring_system;
grant delete, insert, select, update on device_pending to mooring_app;
grant delete, insert, select, update on device_pending to mooring_system;
grant delete, insert, select, update on device_place to mooring_app;
grant delete, insert, select, update on device_place to mooring_system;
grant delete, insert, select, update on device_presence to mooring_app;
grant delete, insert, select, update on device_presence to mooring_system;
grant delete, insert, select, update on device_request to mooring_system;
grant delete, insert, select, update on device_shut to mooring_system;
grant delete, insert, select, update on device_tally to mooring_app;
grant delete, insert, select, update on device_tally to mooring_system;
grant select on device_track to mooring_app;
grant delete, insert, select, update on device_track to mooring_system;
grant select on device_track_default to mooring_app;
grant delete, insert, select, update on device_track_default to mooring_system;
grant delete, insert, select, update on file_built to mooring_app;
grant delete, insert, select, update on file_built to mooring_system;
grant delete, insert, select, update on file_direct to mooring_app;
grant delete, insert, select, update on file_direct to mooring_system;
grant delete, insert, select, update on file_file to mooring_app;
grant delete, insert, select, update on file_file to mooring_system;
grant delete, insert, select, update on file_part to mooring_app;
grant delete, insert, select, update on file_part to mooring_system;
grant delete, insert, select, update on file_quota to mooring_app;
grant delete, insert, select, update on file_quota to mooring_system;
grant delete, insert, select, update on file_upload to mooring_app;
grant delete, insert, select, update on file_upload to mooring_system;
grant delete, insert, select, update on file_usage to mooring_app;
grant delete, insert, select, update on file_usage to mooring_system;
grant delete, insert, select, update on file_usage_change to mooring_app;
grant delete, insert, select, update on file_usage_change to mooring_system;
grant delete, insert, select, update on firmware_package to mooring_app;
grant delete, insert, select, update on firmware_package to mooring_system;
grant insert on gateway_cut to mooring_app;
grant delete, insert, select, update on gateway_cut to mooring_system;
grant delete, insert, select, update on gateway_key to mooring_system;
grant delete, insert, select, update on gateway_outbox to mooring_app;
grant delete, insert, select, update on gateway_outbox to mooring_system;
grant delete, insert, select, update on gateway_recent to mooring_system;
grant delete, insert, select, update on gateway_refused to mooring_system;
grant delete, insert, select, update on geofence to mooring_app;
grant delete, insert, select, update on geofence to mooring_system;
grant delete, insert, select, update on geofence_state to mooring_app;
grant delete, insert, select, update on geofence_state to mooring_system;
grant select on geofence_tally to mooring_app;
grant delete, insert, select, update on geofence_tally to mooring_system;
grant delete, insert, select, update on geofence_version to mooring_app;
grant delete, insert, select, update on geofence_version to mooring_system;
grant delete, insert, select, update on hardware_test to mooring_app;
grant delete, insert, select, update on hardware_test to mooring_system;
grant select on hardware_test_part to mooring_app;
grant delete, insert, select, update on hardware_test_part to mooring_system;
grant select on help_article to mooring_app;
grant delete, insert, select, update on help_article to mooring_system;
grant select on help_category to mooring_app;
grant delete, insert, select, update on help_category to mooring_system;
grant select on help_file to mooring_app;
grant delete, insert, select, update on help_file to mooring_system;
grant select on help_version to mooring_app;
grant delete, insert, select, update on help_version to mooring_system;
grant select on help_vote to mooring_app;
grant delete, insert, select, update on help_vote to mooring_system;
grant select on help_words to mooring_app;
grant delete, insert, select, update on help_words to mooring_system;
grant delete, insert, select, update on http_rate to mooring_system;
grant delete, insert, select, update on inventory_arrival to mooring_app;
grant delete, insert, select, update on inventory_arrival to mooring_system;
grant delete, insert, select, update on inventory_count to mooring_app;
grant delete, insert, select, update on inventory_count to mooring_system;
grant delete, insert, select, update on inventory_count_line to mooring_app;
grant delete, insert, select, update on inventory_count_line to mooring_system;
grant delete, insert, select, update on inventory_dispatch to mooring_app;
grant delete, insert, select, update on inventory_dispatch to mooring_system;
grant delete, insert, select, update on inventory_entry to mooring_app;
grant delete, insert, select, update on inventory_entry to mooring_system;
grant delete, insert, select, update on inventory_receipt to mooring_app;
grant delete, insert, select, update on inventory_receipt to mooring_system;
grant delete, insert, select, update on inventory_sale to mooring_app;
grant delete, insert, select, update on inventory_sale to mooring_system;
grant delete, insert, select, update on inventory_signature to mooring_app;
grant delete, insert, select, update on inventory_signature to mooring_system;
grant delete, insert, select, update on inventory_stock to mooring_app;
grant delete, insert, select, update on inventory_stock to mooring_system;
grant delete, insert, select, update on inventory_sync_conflict to mooring_app;
grant delete, insert, select, update on inventory_sync_conflict to mooring_system;
grant delete, insert, select, update on inventory_sync_run to mooring_app;
grant delete, insert, select, update on inventory_sync_run to mooring_system;
grant delete, insert, select, update on inventory_sync_source to mooring_app;
grant delete, insert, select, update on inventory_sync_source to mooring_system;
grant delete, insert, select, update on inventory_transfer to mooring_app;
grant delete, insert, select, update on inventory_transfer to mooring_system;
grant delete, insert, select, update on job_run to mooring_app;
grant delete, insert, select, update on job_run to mooring_system;
grant delete, insert, select, update on job_schedule to mooring_app;
grant delete, insert, select, update on job_schedule to mooring_system;
grant select on language_language to mooring_app;
grant delete, insert, select, update on language_language to mooring_system;
grant select on language_text to mooring_app;
grant delete, insert, select, update on language_text to mooring_system;
grant delete, insert, select, update on live_touch to mooring_app;
grant delete, insert, select, update on live_touch to mooring_system;
grant delete, insert, select, update on mail_message to mooring_app;
grant delete, insert, select, update on mail_message to mooring_system;
grant delete, insert, select, update on merchant_maintenance to mooring_app;
grant delete, insert, select, update on merchant_maintenance to mooring_system;
grant delete, insert, select, update on merchant_merchant to mooring_app;
grant delete, insert, select, update on merchant_merchant to mooring_system;
grant delete, insert, select, update on merchant_photo to mooring_app;
grant delete, insert, select, update on merchant_photo to mooring_system;
grant delete, insert, select, update on merchant_shop to mooring_app;
grant delete, insert, select, update on merchant_shop to mooring_system;
grant delete, insert, select, update on message_delivery to mooring_app;
grant delete, insert, select, update on message_delivery to mooring_system;
grant delete, insert, select, update on message_message to mooring_app;
grant delete, insert, select, update on message_message to mooring_system;
grant delete, insert, select, update on message_notice to mooring_app;
grant delete, insert, select, update on message_notice to mooring_system;
grant delete, insert, select, update on message_notice_delivery to mooring_app;
grant delete, insert, select, update on message_notice_delivery to mooring_system;
grant delete, insert, select, update on message_notice_file to mooring_app;
grant delete, insert, select, update on message_notice_file to mooring_system;
grant delete, insert, select, update on order_counter to mooring_system;
grant delete, insert, select, update on order_entry to mooring_app;
grant delete, insert, select, update on order_entry to mooring_system;
grant delete, insert, select, update on order_file to mooring_app;
grant delete, insert, select, update on order_file to mooring_system;
grant delete, insert, select, update on order_order to mooring_app;
grant delete, insert, select, update on order_order to mooring_system;
grant delete, insert, select, update on org_dept to mooring_app;
grant delete, insert, select, update on org_dept to mooring_system;
grant delete, insert, select, update on org_invite to mooring_app;
grant delete, insert, select, update on org_invite to mooring_system;
grant delete, insert, select, update on org_trust to mooring_app;
grant delete, insert, select, update on org_trust to mooring_system;
grant delete, insert, select, update on paramfile_file to mooring_app;
grant delete, insert, select, update on paramfile_file to mooring_system;
grant delete, insert, select, update on paramfile_given to mooring_app;
grant delete, insert, select, update on paramfile_given to mooring_system;
grant delete, insert, select, update on paramfile_level to mooring_app;
grant delete, insert, select, update on paramfile_level to mooring_system;
grant delete, insert, select, update on paramfile_secret to mooring_app;
grant delete, insert, select, update on paramfile_secret to mooring_system;
grant delete, insert, select, update on paramfile_set to mooring_app;
grant delete, insert, select, update on paramfile_set to mooring_system;
grant select on paramfile_stale to mooring_app;
grant delete, insert, select, update on paramfile_stale to mooring_system;
grant delete, insert, select, update on paramfile_template to mooring_app;
grant delete, insert, select, update on paramfile_template to mooring_system;
grant delete, insert, select, update on paramfile_template_version to mooring_app;
grant delete, insert, select, update on paramfile_template_version to mooring_system;
grant select on product_firm to mooring_app;
grant delete, insert, select, update on product_firm to mooring_system;
grant delete, insert, select, update on product_model to mooring_app;
grant delete, insert, select, update on product_model to mooring_system;
grant delete, insert, select, update on product_product to mooring_app;
grant delete, insert, select, update on product_product to mooring_system;
grant delete, insert, select, update on product_share to mooring_app;
grant delete, insert, select, update on product_share to mooring_system;
grant delete, insert, select, update on release_blackout to mooring_app;
grant delete, insert, select, update on release_blackout to mooring_system;
grant delete, insert, select, update on rollout_attempt to mooring_app;
grant delete, insert, select, update on rollout_attempt to mooring_system;
grant delete, insert, select, update on rollout_difference to mooring_app;
grant delete, insert, select, update on rollout_difference to mooring_system;
grant delete, insert, select, update on rollout_difference_turn to mooring_system;
grant delete, insert, select, update on rollout_look to mooring_system;
grant delete, insert, select, update on rollout_minute to mooring_app;
grant delete, insert, select, update on rollout_minute to mooring_system;
grant delete, insert, select, update on rollout_package to mooring_app;
grant delete, insert, select, update on rollout_package to mooring_system;
grant delete, select on rollout_place to mooring_app;
grant delete, insert, select, update on rollout_place to mooring_system;
grant delete, insert, select, update on rollout_result to mooring_app;
grant delete, insert, select, update on rollout_result to mooring_system;
grant delete, insert, select, update on rollout_ring to mooring_app;
grant delete, insert, select, update on rollout_ring to mooring_system;
grant delete, insert, select, update on rollout_tally to mooring_app;
grant delete, insert, select, update on rollout_tally to mooring_system;
grant delete, insert, select, update on rollout_task to mooring_app;
grant delete, insert, select, update on rollout_task to mooring_system;
grant select, update on rollout_wanted to mooring_app;
grant delete, insert, select, update on rollout_wanted to mooring_system;
grant delete, insert, select, update on settings_change_request to mooring_system;
grant select on settings_dict to mooring_app;
grant delete, insert, select, update on settings_dict to mooring_system;
grant select on settings_dict_entry to mooring_app;
grant delete, insert, select, update on settings_dict_entry to mooring_system;
grant delete, insert, select, update on settings_download_domain to mooring_app;
grant delete, insert, select, update on settings_download_domain to mooring_system;
grant delete, insert, select, update on settings_saved_view to mooring_app;
grant delete, insert, select, update on settings_saved_view to mooring_system;
grant delete, insert, select, update on settings_table_config to mooring_app;
grant delete, insert, select, update on settings_table_config to mooring_system;
grant select on settings_value to mooring_app;
grant delete, insert, select, update on settings_value to mooring_system;
grant delete, insert, select, update on settings_view_default to mooring_app;
grant delete, insert, select, update on settings_view_default to mooring_system;
grant delete, insert, select, update on settings_webhook to mooring_app;
grant delete, insert, select, update on settings_webhook to mooring_system;
grant delete, insert, select, update on settings_webhook_delivery to mooring_app;
grant delete, insert, select, update on settings_webhook_delivery to mooring_system;
grant delete, insert, select, update on sheet_import to mooring_app;
grant delete, insert, select, update on sheet_import to mooring_system;
grant delete, insert, select, update on sheet_taken to mooring_app;
grant delete, insert, select, update on sheet_taken to mooring_system;
grant delete, insert, select, update on signing_ask to mooring_system;
grant select on signing_export to mooring_app;
grant delete, insert, select, update on signing_export to mooring_system;
grant delete, insert, select, update on signing_export_secret to mooring_system;
grant insert, select, update on signing_job to mooring_app;
grant delete, insert, select, update on signing_job to mooring_system;
grant delete, insert, select, update on signing_key to mooring_app;
grant delete, insert, select, update on signing_key to mooring_system;
grant delete, insert, select, update on signing_making to mooring_system;
grant delete, insert, select, update on signing_profile to mooring_app;
grant delete, insert, select, update on signing_profile to mooring_system;
grant delete, insert, select, update on signing_secret to mooring_system;
grant delete, insert, select, update on signing_store to mooring_app;
grant delete, insert, select, update on signing_store to mooring_system;
grant delete, insert, select, update on state_change to mooring_app;
grant delete, insert, select, update on state_change to mooring_system;
grant delete, insert, select, update on state_change_default to mooring_app;
grant delete, insert, select, update on state_change_default to mooring_system;
grant delete, insert, select, update on stats_change to mooring_app;
grant delete, insert, select, update on stats_change to mooring_system;
grant delete, insert, select, update on stats_day to mooring_app;
grant delete, insert, select, update on stats_day to mooring_system;
grant delete, insert, select, update on stats_hour to mooring_app;
grant delete, insert, select, update on stats_hour to mooring_system;
grant delete, insert, select, update on stats_now to mooring_app;
grant delete, insert, select, update on stats_now to mooring_system;
grant select on stats_sample to mooring_app;
grant delete, insert, select, update on stats_sample to mooring_system;
grant delete, insert, select, update on work to mooring_app;
grant delete, insert, select, update on work to mooring_system;

-- Functions that the bound roles may call

grant execute on function app_blocked(bigint,text) to mooring_app;
grant execute on function app_blocked(bigint,text) to mooring_system;
grant execute on function app_listed_for(bigint,text) to mooring_app;
grant execute on function app_listed_for(bigint,text) to mooring_system;
grant execute on function app_may_release(bigint,text,date) to mooring_app;
grant execute on function app_may_release(bigint,text,date) to mooring_system;
grant execute on function app_places(bigint) to mooring_app;
grant execute on function app_places(bigint) to mooring_system;
grant execute on function app_standings(bigint,date) to mooring_app;
grant execute on function app_standings(bigint,date) to mooring_system;
grant execute on function app_term_over(bigint,text,date) to mooring_app;
grant execute on function app_term_over(bigint,text,date) to mooring_system;
grant execute on function app_version_tried(bigint) to mooring_app;
grant execute on function app_version_tried(bigint) to mooring_system;
grant execute on function customer_note(text,jsonb) to mooring_system;
grant execute on function device_app_names(text,integer) to mooring_app;
grant execute on function device_app_names(text,integer) to mooring_system;
grant execute on function enqueue_job(text,json,timestamp with time zone,text,integer,integer) to mooring_app;
grant execute on function enqueue_job(text,json,timestamp with time zone,text,integer) to mooring_app;
grant execute on function enqueue_job(text,json,timestamp with time zone,text,integer) to mooring_system;
grant execute on function enqueue_job(text,json,timestamp with time zone,text,integer,integer) to mooring_system;
grant execute on function keep_days(text,integer) to mooring_system;
grant execute on function keep_partitions(text,integer) to mooring_system;
grant execute on function open_work_of(bigint) to mooring_app;
grant execute on function open_work_of(bigint) to mooring_system;
grant execute on function people_behind(bigint,timestamp with time zone,timestamp with time zone) to mooring_system;
grant execute on function presence_of(bigint[]) to mooring_app;
grant execute on function presence_of(bigint[]) to mooring_system;
grant execute on function queued_syncs() to mooring_system;
grant execute on function queued_work() to mooring_system;
grant execute on function rollout_has_owners(bigint) to mooring_app;
grant execute on function rollout_has_owners(bigint) to mooring_system;
grant execute on function stats_app_of(text,bigint,text) to mooring_app;
grant execute on function stats_app_of(text,bigint,text) to mooring_system;
grant execute on function stats_parts_of(jsonb,text) to mooring_app;
grant execute on function stats_parts_of(jsonb,text) to mooring_system;
