-- Alarms of fences are told again, and in quiet hours, as those of other rules are.
alter table geofence
  add column repeat_hours integer check (repeat_hours between 1 and 168),
  add column quiet_through boolean not null default true;

drop trigger revision on geofence;
create trigger revision
  before update of name, shape, lat, lon, radius, area, audience, group_ids, device_ids, alarm_on, out_minutes, margin, fixes, settle_minutes, priority, receiver_ids,
    channels, tell_end, repeat_hours, escalate_minutes, escalate_ids, quiet_from, quiet_to, quiet_through, enabled
  on geofence for each row execute function revision_next();

create or replace function geofence_rule() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
end $$;
drop trigger rule_follows on geofence;
create trigger rule_follows
  after update of name, dept_id, priority, receiver_ids, channels, tell_end, repeat_hours, escalate_minutes, escalate_ids, quiet_from, quiet_to, quiet_through, enabled
  on geofence for each row execute function geofence_rule();
