-- How much was sent to a terminal, and how much it would have been where it is a difference.
alter table rollout_attempt add column size bigint, add column full_size bigint;
