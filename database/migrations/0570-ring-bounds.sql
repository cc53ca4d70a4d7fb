-- The last lot (hash of the SN) in each ring with a share, but the last one: shares are exact counts of those that were there when they were drawn.
alter table rollout_task add column ring_bounds text[];
-- Of a difference: it goes into use by itself once it is verified, as whoever asked for it wished.
alter table rollout_difference add column enable_at_once boolean not null default false;
