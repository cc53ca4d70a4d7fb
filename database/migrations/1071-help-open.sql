-- Articles that are read before sign-in, as their published version says.
alter table help_article add column open boolean not null default false;
create or replace trigger revision before update of category_id, position, title, title_zh, body, body_zh, translations, routes, files, open
  on help_article for each row execute function revision_next();
alter table help_version add column open boolean not null default false;

-- A row of its own for a list of what readers say: whose it is isn't told.
alter table help_vote add column id bigint generated always as identity;
