-- The sign-ins of one person, newest first, those that ended too.
create index auth_session_person on auth_session (user_id, id desc);
