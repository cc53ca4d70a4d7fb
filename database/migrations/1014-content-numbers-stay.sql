-- A number of a version is given once: what was published, released and deleted keeps its number from whatever follows.
create table desktop_line (
  part text not null,
  line_id bigint not null,
  given integer not null,
  primary key (part, line_id)
);
revoke all on desktop_line from mooring_app;
insert into desktop_line select 'desktop_advert', line_id, max(number) from desktop_advert where number is not null group by line_id;
insert into desktop_line select 'desktop_customization', line_id, max(number) from desktop_customization where number is not null group by line_id;
insert into desktop_line select 'desktop_desktop', line_id, max(number) from desktop_desktop where number is not null group by line_id;

-- A server from before copies every column that it doesn't know: a draft that is made now begins a line of its own, and is moved into another one where it follows.
-- What is brought in again, from a backup, keeps what it had.
create or replace function desktop_line() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  highest integer;
begin
  if tg_op = 'INSERT' then
    if new.state = 'draft' and new.created_at = now() then
      new.line_id := new.id;
      new.number := null;
      new.published_by := '';
    end if;
    new.line_id := coalesce(new.line_id, new.id);
  end if;
  if new.state = 'published' and new.number is null then
    execute format('select coalesce(max(number), 0) from %I.%I where line_id = $1', tg_table_schema, tg_table_name) into highest using new.line_id;
    insert into desktop_line as l (part, line_id, given) values (tg_table_name, new.line_id, highest + 1)
      on conflict (part, line_id) do update set given = greatest(l.given, highest) + 1
      returning l.given into new.number;
  end if;
  return new;
end $$;
revoke all on function desktop_line from public;

-- Published first, whatever was withdrawn and published again since.
update desktop_advert t set published_at = least(t.published_at, c.at), published_by = coalesce(u.name, t.published_by)
  from state_change c left join account_user u on u.id = c.actor_id
  where c.life = 'advert' and c.row_id = t.id and c.event = 'publish' and c.from_state = 'draft';
update desktop_customization t set published_at = least(t.published_at, c.at), published_by = coalesce(u.name, t.published_by)
  from state_change c left join account_user u on u.id = c.actor_id
  where c.life = 'customization' and c.row_id = t.id and c.event = 'publish' and c.from_state = 'draft';
update desktop_desktop t set published_at = least(t.published_at, c.at), published_by = coalesce(u.name, t.published_by)
  from state_change c left join account_user u on u.id = c.actor_id
  where c.life = 'desktop' and c.row_id = t.id and c.event = 'publish' and c.from_state = 'draft';
