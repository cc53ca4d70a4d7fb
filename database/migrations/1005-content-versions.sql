-- Versions of what terminals show: those of one line follow each other. Each stays as it was published; the next one is a draft of its own, one at a time.
-- Rows are numbered here, so that a server from before, which knows no lines, numbers what it publishes too.
create function desktop_line() returns trigger language plpgsql as $$
declare
  last integer;
begin
  new.line_id := coalesce(new.line_id, new.id);
  if new.state = 'published' and new.number is null then
    execute format('select max(number) from %I where line_id = $1', tg_table_name) into last using new.line_id;
    new.number := coalesce(last, 0) + 1;
  end if;
  return new;
end $$;

alter table desktop_advert add column line_id bigint, add column number integer, add column published_by text not null default '';
update desktop_advert t set line_id = id, number = case when version <> '' then 1 end, published_by = coalesce((
  select u.name from state_change c join account_user u on u.id = c.actor_id
  where c.life = 'advert' and c.row_id = t.id and c.event = 'publish' order by c.at desc limit 1), '');
alter table desktop_advert alter column line_id set not null;
create unique index desktop_advert_line on desktop_advert (line_id, number);
create unique index desktop_advert_next on desktop_advert (line_id) where state = 'draft';
create trigger line before insert or update of state on desktop_advert for each row execute function desktop_line();

alter table desktop_customization add column line_id bigint, add column number integer, add column published_by text not null default '';
update desktop_customization t set line_id = id, number = case when version <> '' then 1 end, published_by = coalesce((
  select u.name from state_change c join account_user u on u.id = c.actor_id
  where c.life = 'customization' and c.row_id = t.id and c.event = 'publish' order by c.at desc limit 1), '');
alter table desktop_customization alter column line_id set not null;
create unique index desktop_customization_line on desktop_customization (line_id, number);
create unique index desktop_customization_next on desktop_customization (line_id) where state = 'draft';
create trigger line before insert or update of state on desktop_customization for each row execute function desktop_line();

alter table desktop_desktop add column line_id bigint, add column number integer, add column published_by text not null default '';
update desktop_desktop t set line_id = id, number = case when version <> '' then 1 end, published_by = coalesce((
  select u.name from state_change c join account_user u on u.id = c.actor_id
  where c.life = 'desktop' and c.row_id = t.id and c.event = 'publish' order by c.at desc limit 1), '');
alter table desktop_desktop alter column line_id set not null;
create unique index desktop_desktop_line on desktop_desktop (line_id, number);
create unique index desktop_desktop_next on desktop_desktop (line_id) where state = 'draft';
create trigger line before insert or update of state on desktop_desktop for each row execute function desktop_line();
