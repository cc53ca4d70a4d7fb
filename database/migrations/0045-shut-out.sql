-- Who is shut out is looked up every two seconds where a broker has to know it.
create index device_shut_out on device (id) where status = '4' or deleted_at is not null;
