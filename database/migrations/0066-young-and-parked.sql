-- Each few seconds those are looked for that were parked while their terminal came: of a command to a million absent terminals all were read.
create index gateway_outbox_young on gateway_outbox (created_at) where next_at = 'infinity' and state in ('waiting', 'sent');
