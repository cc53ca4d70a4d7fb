-- Who gave a right, how and when. What was there before, and what the installation gives by itself, has nobody.
alter table access_user_role add column granted_by bigint, add column granted_way text, add column granted_at timestamptz;
alter table access_user_role alter column granted_at set default now();
alter table access_managed_dept add column granted_by bigint, add column granted_at timestamptz;
alter table access_managed_dept alter column granted_at set default now();

-- What people may read of a message that carries a code, a password or a link: the same words with these masked.
alter table mail_message add column shown_text text;

-- A setting that gives rights does so in the name of whoever saved it last.
alter table settings_value add column saved_by bigint;
update settings_value set saved_by = (
  select actor_id from audit_entry where call = '/sysSetting/singleSignOn/save' and result = 'done' and actor_id is not null order by at desc limit 1
) where type = 'singleSignOn';
