-- Help articles of the installation: read by everybody, changed past the policies by the few whose permission says so.
create table help_category (
  id bigint generated always as identity primary key,
  -- Of the product's own manual.
  key text unique,
  name text not null,
  name_zh text not null default '',
  parent_id bigint references help_category,
  position integer not null default 100,
  revision integer not null default 1
);
create index help_category_parent on help_category (parent_id);
create trigger revision before update of name, name_zh, parent_id, position on help_category for each row execute function revision_next();
revoke insert, update, delete on help_category from mooring_app;

create table help_article (
  id bigint generated always as identity primary key,
  key text not null,
  category_id bigint not null references help_category,
  position integer not null default 100,
  title text not null,
  title_zh text not null default '',
  body text not null,
  body_zh text not null default '',
  routes text[] not null default '{}',
  files bigint[] not null default '{}',
  state text not null default 'draft' check (state in ('draft', 'published', 'revised', 'withdrawn')),
  -- What readers have.
  version integer not null default 0,
  -- What the published version says, with the console's words where it names them: what is searched.
  words text not null default '',
  words_zh text not null default '',
  helpful integer not null default 0,
  unhelpful integer not null default 0,
  manual boolean not null default false,
  -- Of the manual: what came with the product last, and what came after a person edited it.
  brought text,
  edited boolean not null default false,
  newer jsonb,
  -- The whole installation's.
  dept_path text collate "C" not null default '1.',
  updated_by text not null default '',
  updated_at timestamptz not null default now(),
  revision integer not null default 1
);
create unique index help_article_key on help_article (key);
create index help_article_category on help_article (category_id);
create index help_article_words on help_article using gin (words gin_trgm_ops, words_zh gin_trgm_ops);
call inherit_by_path('help_article');
create trigger revision before update of category_id, position, title, title_zh, body, body_zh, routes, files
  on help_article for each row execute function revision_next();
revoke insert, update, delete on help_article from mooring_app;

create table help_version (
  id bigint generated always as identity primary key,
  article_id bigint not null references help_article on delete cascade,
  number integer not null,
  title text not null,
  title_zh text not null,
  body text not null,
  body_zh text not null,
  routes text[] not null,
  files bigint[] not null,
  published_by text not null default '',
  published_at timestamptz not null,
  unique (article_id, number)
);
revoke insert, update, delete on help_version from mooring_app;

create table help_vote (
  article_id bigint not null references help_article on delete cascade,
  user_id bigint not null references account_user on delete cascade,
  helpful boolean not null,
  voted_at timestamptz not null,
  primary key (article_id, user_id)
);
create index help_vote_user on help_vote (user_id);
revoke insert, update, delete on help_vote from mooring_app;

-- Files and pictures of any of an article's texts, now or in a version; they stay as long as it does.
create table help_file (
  article_id bigint not null references help_article on delete cascade,
  file_id bigint not null references file_file,
  primary key (article_id, file_id)
);
create index help_file_file on help_file (file_id);
revoke insert, update, delete on help_file from mooring_app;
