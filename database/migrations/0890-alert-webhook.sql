-- A list of alarm receivers may have the address of another system. What is sent there is sent, tried again and noted as for any webhook.
alter table alert_receiver add column webhook_url text not null default '';
create or replace trigger revision before update of name, user_ids, emails, webhook_url, remark on alert_receiver
  for each row execute function revision_next();
alter table settings_webhook add column receiver_id bigint references alert_receiver on delete cascade;
create unique index settings_webhook_receiver on settings_webhook (receiver_id) where receiver_id is not null;
-- Since when everybody knows that nothing gets through: they are told once until it does again.
alter table settings_webhook add column given_up_at timestamptz;
-- What is open goes out webhook by webhook, so that none waits for the many of another; what is over is removed after its time.
create index settings_webhook_delivery_open on settings_webhook_delivery (webhook_id, next_at) where state in ('waiting', 'sending');
create index settings_webhook_delivery_sending on settings_webhook_delivery (webhook_id) where state = 'sending';
create index settings_webhook_delivery_ended on settings_webhook_delivery (ended_at) where ended_at is not null;
create index approval_absence_over on approval_absence (least(until_at, ended_at));
create index approval_sign_expired on approval_sign (expires_at);

-- Other systems have a budget of their own, and are told which alarms were held back and whether they hear of one again.
alter table alert_mail_hour add column channel text not null default 'mail' check (channel in ('mail', 'webhook'));
alter table alert_mail_hour drop constraint alert_mail_hour_pkey, add primary key (dept_path, hour, channel);
alter table alert_held add column alarm_ids bigint[] not null default '{}';
alter table alert_alarm add column told boolean not null default false;

-- Those of alarm receivers hear of alarms alone: no change wakes them.
create or replace function webhook_deliveries() returns trigger language plpgsql security definer set search_path = public, pg_temp as $function$
begin
  if not exists (select from settings_webhook where enabled and receiver_id is null) then return null; end if;
  insert into settings_webhook_delivery (webhook_id, event_id, event, body, dept_path)
  select w.id, 'evt_' || replace(gen_random_uuid()::text, '-', ''), c.life || '.' || c.event,
    jsonb_build_object('type', c.life || '.' || c.event, 'timestamp', to_char(c.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'data', jsonb_build_object('life', c.life, 'event', c.event, 'id', c.row_id, 'from', c.from_state, 'to', c.to_state, 'dept', c.dept_path))::text,
    w.dept_path
  from changed c join settings_webhook w on w.enabled and w.receiver_id is null and c.dept_path >= w.dept_path and c.dept_path < w.dept_path || '~'
    and w.events && array['*', c.life || '.*', c.life || '.' || c.event]
  where c.life not in ('webhook');
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
  join settings_webhook w on w.enabled and w.receiver_id is null and a.dept_path >= w.dept_path and a.dept_path < w.dept_path || '~' and w.events && array['audit.*', e.event];
  return null;
end $function$;
