-- What whoever found an article not helpful missed in it, with the version that they read.
alter table help_vote add column reason text not null default '', add column version integer not null default 0;
create index help_vote_said on help_vote (article_id, voted_at) where reason <> '';
