-- A crash of the database would forget what was touched last, and nobody who looks on would hear of it: the server's lines to them go on.
alter table live_touch set logged;
