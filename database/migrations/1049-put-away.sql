-- What was put away before; first, since whoever writes terminals waits for what comes below.
update device set merchant_id = null, shop_id = null where merchant_id is not null and status = '5';
-- Alarms that are open of such; what isn't due yet is taken when it is.
update geofence_state s set state = 'gone', due_at = '-infinity'
from alert_alarm a join geofence f on f.rule_id = a.rule_id join device d on d.id = a.device_id
where a.kind = 'geofence' and a.state <> 'closed' and d.status in ('4', '5') and s.device_id = a.device_id and s.fence_id = f.id and s.state <> 'gone';

-- A terminal that comes into stock, however that happens, stands at no merchant any more.
create function device_put_away() returns trigger language plpgsql as $$
begin
  new.merchant_id := null;
  new.shop_id := null;
  return new;
end $$;
create trigger put_away before update of status on device for each row
  when (new.status = '5' and old.status <> '5' and new.merchant_id is not null) execute function device_put_away();

-- Fences look after terminals in use: one that is in stock or disabled stands to none.
create function geofence_put_away() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- The fence before where terminals stand to it, as whoever changes one locks them.
  perform from geofence where id in (select fence_id from geofence_state where device_id = new.id) order by id for key share;
  update geofence_state set state = 'gone', due_at = '-infinity' where device_id = new.id and state <> 'gone';
  return null;
end $$;
revoke all on function geofence_put_away from public;
create trigger geofence_put_away after update of status on device for each row
  when (new.status in ('4', '5') and old.status <> new.status) execute function geofence_put_away();

-- Who was put away meanwhile.
update device set merchant_id = null, shop_id = null where merchant_id is not null and status = '5';
