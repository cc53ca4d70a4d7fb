-- When a job that waited for its token went on: what it was lost in is counted from then, not from its approval.
alter table signing_job add column resumed_at timestamptz;
