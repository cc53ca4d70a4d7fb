-- What is over isn't looked through by each bell any more: its rows are put away, and it goes a year after that.
alter table message_notice add column put_away_at timestamptz;
alter table message_notice_delivery add column over boolean not null default false;
create index message_notice_to_put_away on message_notice (id) where state in ('ended', 'recalled') and put_away_at is null;
create index message_notice_put_away on message_notice (put_away_at) where put_away_at is not null;
create index message_notice_delivery_to_put_away on message_notice_delivery (notice_id) where not over;
-- Beside the one without `over`, by which servers of the version before go.
create index message_notice_delivery_waiting on message_notice_delivery (user_id) where status = '0' and not over;
