-- A message that whoever sent it took back: nobody has it unread any more, and who had read it reads that.
alter table message_message add column recalled_at timestamptz;
