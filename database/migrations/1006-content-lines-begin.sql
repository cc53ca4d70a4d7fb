-- A server from before copies every column that it doesn't know: whatever is written anew begins a line of its own, and is moved into another one where it follows.
create or replace function desktop_line() returns trigger language plpgsql as $$
declare
  last integer;
begin
  if tg_op = 'INSERT' then
    new.line_id := new.id;
    new.number := null;
    new.published_by := case when new.state = 'draft' then '' else new.published_by end;
  end if;
  if new.state = 'published' and new.number is null then
    execute format('select max(number) from %I where line_id = $1', tg_table_name) into last using new.line_id;
    new.number := coalesce(last, 0) + 1;
  end if;
  return new;
end $$;
