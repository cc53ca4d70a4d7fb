-- Another system of an app's owner hears of that app: its versions, its subscriptions, and what becomes of it on terminals of subscribers. What is
-- sent there is sent, tried again and noted as for any webhook; of events it names none, so what those hear of isn't told here twice.
alter table settings_webhook add column app_id bigint references app_app on delete cascade;
create unique index settings_webhook_app on settings_webhook (app_id) where app_id is not null;

-- An app of one of these package names that another organisation at, above or below the place has, or that is subscribed to there: whose app is
-- removed there can't be told by its name.
create function app_callback_unclear(app bigint, package text, place text) returns boolean language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from app_app o where o.package_name = package and o.id <> app and o.deleted_at is null
      and (starts_with(place, o.dept_path) or starts_with(o.dept_path, place)
        or exists (select from app_subscription x where x.app_id = o.id and x.state = 'active' and starts_with(place, x.dept_path))))
$$;
revoke all on function app_callback_unclear from public;

-- Who takes an app at a place: a subscription of it, or of an organisation above, that holds today.
create function app_callback_taker(app bigint, place text) returns table (dept_id bigint, dept_name text) language sql stable rows 1 security definer set search_path = public, pg_temp as $$
  select s.dept_id, s.dept_name from app_subscription s
  where s.app_id = app and s.state = 'active' and starts_with(place, s.dept_path)
    and (s.valid_until is null or s.valid_until >= (now() at time zone 'UTC')::date) and not app_blocked(app, place)
  order by length(s.dept_path) desc limit 1
$$;
revoke all on function app_callback_taker from public;

-- Of a subscriber's terminals the owner learns how its own app fares: neither which terminals they are nor where they stand, and a reason only where
-- it is a code. What a reviewer tries is the reviewer's. An address that is being deleted is neither waited for nor named.
create function app_callback_deliveries() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
  join settings_webhook w on w.app_id = c.app_id and w.enabled
  -- Whoever doesn't have the app any more hears of it no more.
  join app_app a on a.id = c.app_id and a.deleted_at is null and starts_with(a.dept_path, w.dept_path)
  for key share of w skip locked;
  return null;
end $$;
revoke all on function app_callback_deliveries from public;
create trigger app_callback_deliveries after insert on state_change referencing new table as changed for each statement
  execute function app_callback_deliveries();
create index app_app_package on app_app (package_name);

-- Nor do other changes wait for, or fail by, a webhook that is being deleted.
create or replace function webhook_deliveries() returns trigger language plpgsql security definer set search_path = public, pg_temp as $function$
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
create or replace function webhook_audit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $function$
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
