-- When those who decide were told last: what stays undecided is said again.
alter table auth_registration add column told_at timestamptz not null default now();
