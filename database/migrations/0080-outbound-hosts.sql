-- Mail, text messages and single sign-on go through the one outbound door from now on. What an installation reaches already keeps being
-- reached, also where it isn't public: its hosts stand in the list of allowed ones, where an administrator sees them and takes them away.
with hosts as (
  select value->>'host' as host from settings_value where type = 'mail'
  union select substring(value->>'url' from '^https?://(?:[^@/?#]*@)?(\[[^\]]*\]|[^:/?#]+)') from settings_value where type = 'sms'
  union select substring(value->>'issuer' from '^https?://(?:[^@/?#]*@)?(\[[^\]]*\]|[^:/?#]+)') from settings_value where type = 'singleSignOn'
), wanted as (
  select coalesce(jsonb_agg(distinct lower(trim(both '[]' from host))), '[]') as list from hosts where coalesce(host, '') <> ''
)
insert into settings_value (type, value)
select 'outbound', jsonb_build_object('allowed', list) from wanted where list <> '[]'
on conflict (type) do update set value = jsonb_set(settings_value.value, '{allowed}', (
  select jsonb_agg(distinct one) from jsonb_array_elements(coalesce(settings_value.value->'allowed', '[]') || (excluded.value->'allowed')) as one));
