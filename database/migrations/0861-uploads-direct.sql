-- What came in one call is remembered beside what came in parts, also where it wasn't stored.
alter table file_upload add column way text not null default 'parts' check (way in ('parts', 'direct'));
alter table file_upload drop constraint file_upload_state_check;
alter table file_upload add constraint file_upload_state_check check (state in ('uploading', 'assembling', 'done', 'failed', 'cancelled', 'refused'));
-- A file that goes is looked for here.
create index file_upload_file on file_upload (file_id) where file_id is not null;
