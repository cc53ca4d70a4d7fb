-- Of rings too: open releases that name merchants there are as few.
create index rollout_task_of_ring_merchants on rollout_task (id) where delivery @? '$.rings[*].merchantIds' and ended_at is null;
