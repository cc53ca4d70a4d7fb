-- With the id as a key, a look at one device was planned as a search through all of its scope: two thousand pages for each of a page's rows where
-- the scope was ten thousand devices. It stands beside the key now: lists read it, and nothing is looked for by it.
drop index device_dept;
create index device_dept on device (dept_path, created_at) include (id, deleted_at, sn, name);
