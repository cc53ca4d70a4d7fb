-- The screen of a terminal, in pixels as it is looked at: by it the console says which screen of a desktop is shown there.
alter table device add column screen jsonb;
