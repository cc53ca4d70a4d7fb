-- Lists and their counts read these alone: the key in its order, whose row it is, and whether it is still there. Measured at a million
-- devices: the count of ten thousand in a scope went from ten thousand heap pages to none.
drop index device_created, device_name, device_dept, device_sn;
create index device_created on device (created_at, id) include (dept_path, deleted_at);
create index device_name on device (name, id) include (dept_path, deleted_at);
create index device_dept on device (dept_path, created_at, id) include (deleted_at, sn, name);
create unique index device_sn on device (sn) include (id, dept_path, deleted_at);
