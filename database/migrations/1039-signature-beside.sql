-- Signatures beside a file that were made by a profile stay with their record: they go to terminals for as long as the file is released.
drop index signing_job_after;
create index signing_job_after on signing_job (sha256_after) where sha256_after is not null;
