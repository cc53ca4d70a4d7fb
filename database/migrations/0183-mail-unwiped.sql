-- Words that open something and are still there: wiped when what they open is over.
create index mail_message_unwiped on mail_message (created_at) where secret and body_text <> '';
