-- Uploads and files of a person, the newest first.
create index file_upload_of_person on file_upload (user_id, created_at, id);
create index file_file_of_person on file_file (user_id, created_at, id);
