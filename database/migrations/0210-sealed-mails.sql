-- The words of a mail that opens something (subject, text, html), sealed with the master key until it went out or is over.
-- A version before would send such a row without words, so it never sees one: `next_at` stays at infinity and `taken_at` empty, by which it looks for what
-- waits and for what a process left; its job has another name, and it sends nothing again whose text is empty. These two stand in their place.
alter table mail_message
  add column words_sealed bytea,
  add column sealed_due_at timestamptz,
  add column sealed_taken_at timestamptz;
create index mail_message_sealed on mail_message (created_at) where words_sealed is not null;
