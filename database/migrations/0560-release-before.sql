-- The release before one, whose curve stands beside its own.
create index rollout_task_subject on rollout_task (kind, subject, product_id, started_at desc);
