-- Which rule would have let a terminal in, and whose code it brought for a SN that stands in another organisation.
alter table device_pending add column rule text, add column code_of text;
