-- How much of an upload was here when it was given up: its parts go then.
alter table file_upload add column received bigint, add column received_parts integer;
