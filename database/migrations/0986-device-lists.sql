-- The terminals of one organisation, and those of a product in a state, as lists show them: newest first.
create index device_of_dept on device (dept_id, created_at, id);
create index device_of_product on device (product_id, status, created_at, id);
drop index device_product;
