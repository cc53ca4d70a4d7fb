-- Uploads and files of an organisation: its lists and searches go by its path, those of the whole installation as before.
create index file_file_of_dept on file_file (dept_path, created_at, id);
create index file_file_of_dept_size on file_file (dept_path, size, id);
create index file_upload_of_dept on file_upload (dept_path, created_at, id);
create index file_upload_of_dept_size on file_upload (dept_path, size, id);

-- Whose word a quota is, and what they gave: whoever is below them may give less of it, and take that back. What was set before is the platform's.
alter table file_quota add column by_dept bigint not null default 1 references org_dept on delete set default, add column given bigint;
create index file_quota_by on file_quota (by_dept);
