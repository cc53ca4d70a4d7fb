-- What is left of a destroyed key on the token that made it, as its page says it: `waits` for the next turn, is `elsewhere` since another token took
-- the place of that one, is `kept` by the token, which doesn't give it up, or `forgotten`, as two people decided.
alter table signing_key add column remains text check (remains in ('waits', 'elsewhere', 'kept', 'forgotten'));
-- How often it was tried to clear it away: each time waits longer.
alter table signing_secret add column tries integer not null default 0;
update signing_key k set remains = 'waits' from signing_store s
  where s.id = k.store_id and s.kind = 'token' and k.state = 'destroyed' and exists (select from signing_secret x where x.key_id = k.id);

-- Names of certificates stand as RFC 4514 writes them, the most special part first; until now they stood as they lie in the bytes.
create function signing_name_up(name text) returns text language sql immutable as $$
  select coalesce(string_agg(part, ', ' order by at desc), '') from regexp_split_to_table(name, '(?<!\\), ') with ordinality as parts (part, at) $$;
update signing_key set subject = signing_name_up(subject), issuer = signing_name_up(issuer);
update signing_profile set root_subject = signing_name_up(root_subject), signer_subject = signing_name_up(signer_subject), time_subject = signing_name_up(time_subject);
-- A request that waits says what it is compared with when it is approved.
update settings_change_request set
  before = before || jsonb_build_object('issuer', signing_name_up(before ->> 'issuer')),
  after = after || jsonb_build_object('issuer', signing_name_up(after ->> 'issuer'))
  where home = 'signing' and target = 'keyChain' and state = 'waiting';
drop function signing_name_up(text);
