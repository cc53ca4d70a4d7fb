-- Who had a difference tried again: where it was in use, it goes back there for that person, whose rights are asked for again.
alter table rollout_difference add column tried_for bigint references account_user on delete set null;
create index rollout_difference_tried on rollout_difference (tried_for) where tried_for is not null;
