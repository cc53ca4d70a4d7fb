-- Releases that wait for approval end in their time, too.
create index rollout_task_auditing on rollout_task (expires_at) where state = 'auditing';
