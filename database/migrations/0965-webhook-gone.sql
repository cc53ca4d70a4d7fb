-- A webhook that is deleted is gone at once, however much was sent there: its address, its secret and whose it was are wiped, nothing goes there, no
-- list has it. A job deletes what was sent there in batches, then the row.
alter table settings_webhook add column deleted_at timestamptz;
create function webhook_gone() returns trigger language plpgsql as $$
begin
  new.url := '';
  new.secret_sealed := '';
  new.events := '{}';
  new.enabled := false;
  new.receiver_id := null;
  new.app_id := null;
  return new;
end $$;
-- Whatever writes to it after that, also a change that waited for its deletion.
create trigger gone before update on settings_webhook for each row when (new.deleted_at is not null) execute function webhook_gone();

-- Whoever has an address takes it along, whatever deletes them.
create function webhook_owner_deleted() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_table_name = 'app_app' then update settings_webhook set deleted_at = now() where app_id = old.id;
  else update settings_webhook set deleted_at = now() where receiver_id = old.id;
  end if;
  return old;
end $$;
revoke all on function webhook_owner_deleted from public;
create trigger webhook_owner_deleted before delete on app_app for each row execute function webhook_owner_deleted();
create trigger webhook_owner_deleted before delete on alert_receiver for each row execute function webhook_owner_deleted();

-- An organisation that may not bring apps at present. Of one that was merged with another the better state counts.
create function developer_suspended(dept bigint) returns boolean language sql stable as $$
  select exists (select from app_developer d where d.dept_id = dept and d.state = 'suspended')
    and not exists (select from app_developer d where d.dept_id = dept and d.state = 'accepted')
$$;

-- As before, and nothing is queued for a developer that is suspended.
create or replace function app_callback_deliveries() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
end $$;
