-- Which organisation had its turn when: differences are made one at a time, and who has many waiting keeps nobody else waiting longer than one.
create table rollout_difference_turn (
  -- The outermost organisation, since whoever has units below could have a turn for each; outside of one, the unit itself.
  org_id bigint primary key references org_dept on delete cascade,
  turn bigint not null
);
revoke all on rollout_difference_turn from mooring_app;
create sequence rollout_difference_turns owned by rollout_difference_turn.turn;
grant usage on sequence rollout_difference_turns to mooring_system;
