import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

test('every table has a policy, or stands here with its reason', async () => {
  const open = await app.context.unscoped((db) =>
    sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relrowsecurity and not c.relispartition order by 1`.execute(db),
  );
  expect(open.rows.map((row) => row.name)).toEqual([
    'access_managed_dept', // read by user id only
    'access_user_role', // read by user id only
    'account_given', // the bound role only adds rows
    'account_identity', // closed to the bound role
    'account_passkey', // closed to the bound role
    'account_password_history', // closed to the bound role
    'account_real_name', // closed to the bound role
    'account_real_name_picture', // closed to the bound role
    'account_real_name_request', // closed to the bound role
    'account_recovery_code', // closed to the bound role
    'account_totp', // closed to the bound role
    'audit_forward', // closed to the bound role
    'audit_head', // closed to the bound role
    'audit_refusal', // closed to the bound role
    'auth_attempt', // closed to the bound role
    'auth_captcha', // closed to the bound role
    'auth_code', // closed to the bound role
    'auth_policy', // closed to the bound role
    'auth_registration', // closed to the bound role
    'auth_seal_key', // closed to the bound role
    'auth_seal_nonce', // closed to the bound role
    'auth_session', // closed to the bound role
    'auth_ticket', // closed to the bound role
    'desktop_line', // closed to the bound role
    'device_attention_walk', // closed to the bound role
    'device_double_turn', // closed to the bound role
    'device_health_walk', // closed to the bound role
    'help_category', // the installation's own
    'help_file', // says only which article a file hangs on
    'help_version', // the installation's own
    'help_vote', // a person's own, by user id
    'help_words', // the installation's own
    'installation_key', // closed to the bound role
    'kysely_migration', // closed to the bound role
    'kysely_migration_ahead', // closed to the bound role
    'kysely_migration_lock', // closed to the bound role
    'language_language', // the installation's own
    'language_text', // the installation's own
    'live_touch', // carries only the name of a group and a path
    'message_delivery', // a person's own, by user id
    'message_message', // read through one's own delivery
    'message_notice_delivery', // a person's own, by user id
    'order_counter', // closed to the bound role
    'paramfile_stale', // says only where is to be looked again
    'product_firm', // the installation's own
    'rollout_difference_turn', // closed to the bound role
    'rollout_look', // closed to the bound role
    'schema_floor', // closed to the bound role
    'settings_change_request', // closed to the bound role
    'settings_dict', // the installation's own
    'settings_dict_entry', // the installation's own
    'settings_saved_view', // read by user id, or shared at and above the scope: saved-views.ts
    'settings_table_config', // a person's own, by user id
    'settings_value', // the installation's own
    'settings_view_default', // a person's own, by user id
    'signing_ask', // closed to the bound role
    'signing_export_secret', // closed to the bound role
    'signing_making', // closed to the bound role
    'signing_secret', // closed to the bound role
    'stats_sample', // the installation's own
  ]);
});
