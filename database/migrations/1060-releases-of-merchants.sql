-- Open releases that are for merchants are few: whether one is for a merchant is asked of each row of their list.
create index rollout_task_of_merchants on rollout_task (id) where scope ? 'merchantIds' and ended_at is null;
