-- The platform's own people have policies of their own, line 1: those of a product line are decided on by its administrators, who stand below them.
create or replace function product_line_of(path text) returns bigint language sql immutable parallel safe
  return coalesce(nullif(split_part(path, '.', 2), '')::bigint, 1);
insert into auth_policy (line, kind, value, updated_at)
  select 1, kind, value, updated_at from auth_policy where line = 2 on conflict do nothing;
