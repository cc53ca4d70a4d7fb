-- Those at work are counted before each sending of a release that goes to so many at once; those that wait for a restart or a person are many more.
create index rollout_result_at_work on rollout_result (task_id)
  where state = '2' and (phase = 'waiting' and reason not in ('window', 'pace')) is not true;
