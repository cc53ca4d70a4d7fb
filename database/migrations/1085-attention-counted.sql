-- How far the last whole walk over the terminals came: those after it are still to be looked at for the first time, and that nothing is noted of them means nothing.
alter table device_attention_walk add column counted_id bigint not null default 0;
