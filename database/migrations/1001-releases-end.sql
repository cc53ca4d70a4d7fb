-- Releases that lost their end when a person started them early, or edited them after they had begun: they end as others do.
update rollout_task set expires_at = now() + case task_class when '0' then interval '365 days' else interval '30 days' end
where started_at is not null and ended_at is null and expires_at is null;
