-- What webhooks may reach inside is a list of its own from now on; what they could reach goes on.
update settings_value set value = value || jsonb_build_object('webhooks', value -> 'allowed') where type = 'outbound' and value ? 'allowed';
