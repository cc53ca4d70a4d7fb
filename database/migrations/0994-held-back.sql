-- Releases that have begun and were sent back or are written anew: looked for at each turn of the engine, among all that are only being written.
create index rollout_task_held on rollout_task (id) where state in ('returned', 'draft', 'auditing', 'ready') and started_at is not null;
