-- Of the same content one upload is open at a time; those that ended are remembered beside it.
drop index file_upload_mine;
create unique index file_upload_open on file_upload (user_id, identifier, kind) where state in ('uploading', 'assembling', 'failed');
create index file_upload_mine on file_upload (user_id, identifier, kind, id);
