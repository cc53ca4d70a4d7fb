-- Another system of an app's owner hears of that app: its versions, its subscriptions, and what becomes of it on terminals of subscribers. What is
-- sent there is sent, tried again and noted as for any webhook; of events it names none, so what those hear of isn't told here twice.
alter table settings_webhook add column app_id bigint references app_app on delete cascade;
create unique index settings_webhook_app on settings_webhook (app_id) where app_id is not null;

-- Of a subscriber's terminals the owner learns how its own app fares: neither which terminals they are nor where they stand.
create function app_callback_deliveries() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from settings_webhook where enabled and app_id is not null) then return null; end if;
  insert into settings_webhook_delivery (webhook_id, event_id, event, body, dept_path)
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
    select c.life, c.event, c.row_id, c.from_state, c.to_state, c.at, s.app_id,
      jsonb_build_object('action', t.content ->> 'action', 'versionId', v.id, 'versionName', v.version_name, 'versionCode', v.version_code,
        'reason', r.reason, 'deptId', s.dept_id, 'deptName', s.dept_name)
    from changed c join rollout_result r on r.id = c.row_id and r.kind = 'softApp' join rollout_task t on t.id = r.task_id
      left join app_version v on v.id = t.app_version_id
      cross join lateral (
        select s.app_id, s.dept_id, s.dept_name from app_subscription s
        where s.state = 'active' and starts_with(c.dept_path, s.dept_path) and (s.app_id = v.app_id or v.id is null and s.package_name = t.content ->> 'packageName')
        order by length(s.dept_path) desc limit 1
      ) s
    where c.life = 'taskResult' and c.to_state in ('3', '4', '5', '6', '7', '9', '10')
  ) c
  join settings_webhook w on w.app_id = c.app_id and w.enabled
  -- Whoever doesn't have the app any more hears of it no more.
  join app_app a on a.id = c.app_id and a.deleted_at is null and starts_with(a.dept_path, w.dept_path);
  return null;
end $$;
revoke all on function app_callback_deliveries from public;
create trigger app_callback_deliveries after insert on state_change referencing new table as changed for each statement
  execute function app_callback_deliveries();
