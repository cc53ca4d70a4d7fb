-- Of a token whose scopes lie on both platforms; null: on the one that it names.
alter table account_api_token add column platforms text[];
