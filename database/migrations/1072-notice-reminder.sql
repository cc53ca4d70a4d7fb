-- Whoever hasn't read a notice is reminded of it: when that was asked for last, and whether it is still to be done.
alter table message_notice add column reminded_at timestamptz, add column remind_waits boolean not null default false;
