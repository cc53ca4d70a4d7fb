-- Versions of a product's thing model: what its terminals can be read, set, asked and heard of. Of a product there is one draft and one
-- published version at most; the database settles who of two was first.
create table product_model (
  id bigint generated always as identity primary key,
  product_id bigint not null references product_product on delete cascade,
  version integer not null,
  state text not null default 'draft' check (state in ('draft', 'published', 'superseded')),
  model jsonb not null,
  note text not null default '',
  created_by text not null default '',
  created_at timestamptz not null default now(),
  published_at timestamptz,
  dept_path text collate "C" not null,
  revision integer not null default 1,
  unique (product_id, version)
);
create unique index product_model_draft on product_model (product_id) where state = 'draft';
create unique index product_model_published on product_model (product_id) where state = 'published';
create index product_model_dept on product_model (dept_path);
call inherit_by_path('product_model');
create trigger revision before update of model, note on product_model for each row execute function revision_next();
