-- Secrets before the one before, as long as they were promised to count; and when the subscriber asked for another term.
alter table app_subscription add column older_secrets jsonb not null default '[]', add column term_asked_at timestamptz;
