-- Which of a terminal's words is the newer one is said by the terminal: a broker that starts again brings old ones after new ones.
alter table device_presence add column hello_order bigint;
