-- A difference that isn't worth using has its bytes deleted once it is verified; what it was stays to be read.
alter table rollout_difference drop constraint rollout_difference_check1;
alter table rollout_difference add constraint rollout_difference_bytes check (
  (state in ('made', 'enabled')) <= (sha256 is not null) and (state = 'verified') <= (sha256 is not null or made_at is not null)
);
