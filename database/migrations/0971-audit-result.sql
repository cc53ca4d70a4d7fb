-- Why a webhook failed is read of the newest delivery that did, however many new events wait behind it.
create index settings_webhook_delivery_failed on settings_webhook_delivery (webhook_id, created_at desc, id desc) where error is not null;

-- What a review came to (audit result: 0 pending, 1 approved, 2 rejected): one that was sent back stays so while its developer changes it, and one that
-- was taken back, or isn't handed in yet, has none.
alter table app_version add column audit_result text generated always as (
  case
    when review_state = '1' then '0'
    when review_state in ('2', '4') then '1'
    when review_state = '3' or review_state = '0' and content_hash <> '' then '2'
  end) stored;
create index app_version_audit on app_version (dept_path, audit_result, created_at, id);
