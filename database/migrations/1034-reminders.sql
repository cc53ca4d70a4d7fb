-- What was said of an order by itself: each once, with the day or the step that it is about.
alter table order_order add column reminded text[] not null default '{}';
-- What is late or unanswered already isn't told all at once; what becomes so later is.
update order_order set reminded = array_append(reminded, 'accept:' || partner_id) where state = 'created' and created_at <= now() - interval '2 days';
update order_order set reminded = array_append(reminded, 'late:' || due_on)
  where state not in ('closed', 'cancelled', 'returning') and due_on < (now() at time zone 'UTC')::date;
update order_order o set reminded = array_append(o.reminded, 'costs:' || e.id)
  from (select order_id, max(id) as id from order_entry where event = 'quote' group by order_id) e
  where e.order_id = o.id and o.state = 'received' and o.costs = 'asked';
update order_order o set reminded = array_append(o.reminded, 'delivered:' || e.id)
  from (select order_id, max(id) as id from order_entry where event in ('repaired', 'replace', 'refuse') group by order_id) e
  where e.order_id = o.id and o.state = 'returning';
create index order_order_under_way on order_order (id) where state not in ('closed', 'cancelled');

-- At how many percent of a quota it was last told.
alter table file_quota add column told integer not null default 0;

-- Of the certificate of a signing profile that ends first: which end was told, and how many days before it last.
alter table signing_profile add column warned_end timestamptz, add column warned_days integer;
