-- What was said of an order by itself: each once, with the day or the step that it is about.
alter table order_order add column reminded text[] not null default '{}';
-- What is late or unanswered already isn't told all at once.
update order_order set reminded = array_remove(array['accept:' || partner_id, 'late:' || due_on], null) where state not in ('closed', 'cancelled');
create index order_order_under_way on order_order (id) where state not in ('closed', 'cancelled');

-- At how many percent of a quota it was last told.
alter table file_quota add column told integer not null default 0;

-- Of the certificate of a signing profile that ends first: which end was told, and how many days before it last.
alter table signing_profile add column warned_end timestamptz, add column warned_days integer;
