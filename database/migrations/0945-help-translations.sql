-- Articles and categories in languages beside English and Chinese: `[{lang, title, body, of}]`, where `of` is the digest of the English text that was translated,
-- and `[{lang, name}]`.
alter table help_category add column names jsonb not null default '[]';
create or replace trigger revision before update of name, name_zh, names, parent_id, position on help_category for each row execute function revision_next();

alter table help_article add column translations jsonb not null default '[]';
create or replace trigger revision before update of category_id, position, title, title_zh, body, body_zh, translations, routes, files
  on help_article for each row execute function revision_next();
alter table help_version add column translations jsonb not null default '[]';

-- What is searched of the translations of a published version, as `words` and `words_zh` of the article are.
create table help_words (
  article_id bigint not null references help_article on delete cascade,
  lang text not null,
  words text not null,
  primary key (article_id, lang)
);
revoke insert, update, delete on help_words from mooring_app;
