-- What the searched words were made from, as a digest: an article that says what it said isn't read through again at each start.
alter table help_article add column words_of text not null default '';
