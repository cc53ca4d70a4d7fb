-- How far the log has been forwarded by syslog, and how it goes. One row, once it was switched on.
create table audit_forward (
  one boolean primary key default true check (one),
  -- Seal number of the last entry that the receiver has taken in.
  seal_no bigint not null,
  sent_at timestamptz,
  failing_since timestamptz,
  error text,
  -- One process at a time sends.
  taken_until timestamptz not null default '-infinity'
);
revoke all on audit_forward from mooring_app;

-- Entries of the log become events for those who asked for them by name; `*` means lifecycles alone, as before.
create function webhook_audit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from settings_webhook where enabled and events && array['audit.*', 'audit.done', 'audit.refused']) then return null; end if;
  insert into settings_webhook_delivery (webhook_id, event_id, event, body, dept_path)
  select w.id, 'evt_' || replace(gen_random_uuid()::text, '-', ''), e.event,
    jsonb_build_object('type', e.event, 'timestamp', to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'data', jsonb_build_object('id', a.id, 'requestId', a.request_id, 'actorId', a.actor_id, 'actor', a.actor_name, 'call', a.call, 'target', a.target,
        'result', a.result, 'ip', a.ip, 'platform', a.platform, 'dept', a.dept_path,
        'count', case when a.request_id = 'refused' then coalesce((a.after->>'count')::bigint, 1) else 1 end, 'device', case when a.request_id = 'refused' then a.after->>'device' end))::text,
    w.dept_path
  from added a cross join lateral (select 'audit.' || case when a.result = 'done' then 'done' else 'refused' end as event) e
  join settings_webhook w on w.enabled and a.dept_path >= w.dept_path and a.dept_path < w.dept_path || '~' and w.events && array['audit.*', e.event];
  return null;
end $$;
revoke all on function webhook_audit from public;
create trigger webhook_audit after insert on audit_entry referencing new table as added for each statement execute function webhook_audit();
