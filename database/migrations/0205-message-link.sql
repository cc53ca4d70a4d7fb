-- What a message asked for can be over: it's found by where it leads.
create index message_message_link on message_message (link) where link is not null;
