-- Whoever wrote what a release sends, to whom or when is one of its authors, and agrees to none of it.
alter table rollout_task add column editor_ids bigint[] default '{}' not null;
