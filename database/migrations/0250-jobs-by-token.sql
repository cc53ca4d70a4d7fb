-- Which API token began a job: it sees and fetches only its own. Those of before belong to their person alone.
alter table work add column token_id bigint;
