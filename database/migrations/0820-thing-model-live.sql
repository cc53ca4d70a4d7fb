-- When each of the values in `properties` came, by the same names.
alter table device_presence add column properties_at jsonb;

-- What was asked of one terminal by its thing model, newest first.
create index gateway_outbox_things on gateway_outbox (device_id, kind, id) where topic = 'command' and kind in ('propertySet', 'propertyGet', 'serviceCall');

-- Calls of one service of a terminal, newest first.
create index gateway_outbox_calls on gateway_outbox (device_id, (data -> 'params' ->> 'service'), id) where topic = 'command' and kind = 'serviceCall';

-- Events of one terminal by their names, newest first.
create index device_event_named on device_event (device_id, name, at, id);
