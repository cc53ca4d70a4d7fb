-- A list of alarm receivers may have the address of another system. What is sent there is sent, tried again and noted as for any webhook.
alter table alert_receiver add column webhook_url text not null default '';
create or replace trigger revision before update of name, user_ids, emails, webhook_url, remark on alert_receiver
  for each row execute function revision_next();
alter table settings_webhook add column receiver_id bigint references alert_receiver on delete cascade;
create unique index settings_webhook_receiver on settings_webhook (receiver_id) where receiver_id is not null;
