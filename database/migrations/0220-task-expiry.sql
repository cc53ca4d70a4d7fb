-- Every task has an end: those under way that named none get the thirty days of a new one.
update rollout_task set expires_at = now() + interval '30 days' where expires_at is null and state in ('running', 'paused', 'halted');
