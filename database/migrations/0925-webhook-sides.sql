-- A subscription has two sides, and each hears of it at its own place: the subscriber as of any change, the owner of the app besides. What is said of it
-- is what both their lists show; of signing keys and jobs nothing is said but that they moved, for who reads webhooks may not be one who may see those.
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
  where c.life not in ('webhook');
  return null;
end $function$;

-- That one of two ends by a merge is noted as any other end.
create function app_subscription_merged() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into state_change (life, row_id, event, from_state, to_state, dept_path)
  values ('appSubscription', new.id, 'end', old.state, new.state, new.dept_path);
  return null;
end $$;
revoke all on function app_subscription_merged from public;
create trigger app_subscription_merged after update of dept_id on app_subscription
  for each row when (old.state <> new.state and new.state = 'ended') execute function app_subscription_merged();
