-- What is under way counts towards quotas, among all that ended lately.
create index file_upload_under_way on file_upload (dept_path) include (size) where state in ('uploading', 'assembling', 'failed');
