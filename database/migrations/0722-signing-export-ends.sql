-- An export stands for the key as the two people saw it: stopping, resuming, retiring or destroying the key takes both halves away.
create function signing_export_end() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from signing_export where key_id = new.id;
  return null;
end $$;
create trigger export_end after update of state on signing_key
  for each row when (new.state <> old.state) execute function signing_export_end();
