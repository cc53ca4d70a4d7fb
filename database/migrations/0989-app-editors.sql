-- Everyone who wrote what a version says, not the last of them alone: none of them judges it.
alter table app_version add column editor_ids bigint[] not null default '{}';
update app_version set editor_ids = array[edited_by_id] where edited_by_id is not null;
