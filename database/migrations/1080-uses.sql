-- How much keeps a group or a list of receivers from being deleted, whoever may see it: of what organisations above use, those below are told the number alone.
create function device_group_uses(which bigint) returns integer language sql stable security definer set search_path = public, pg_temp as $$
  select (select count(*)::int from rollout_task u where u.group_ids is not null and u.ended_at is null and which = any(u.group_ids))
    + (select count(*)::int from geofence u where u.group_ids @> array[which])
    + (select count(*)::int from alert_rule u where which = any(u.group_ids))
$$;
create function alert_receiver_uses(which bigint) returns integer language sql stable security definer set search_path = public, pg_temp as $$
  select count(*)::int from alert_rule u where u.receiver_ids @> array[which] or u.escalate_ids @> array[which]
$$;
