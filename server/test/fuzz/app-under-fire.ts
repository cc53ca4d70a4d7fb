import type { Call } from '@mooring/contract/kit/call';
import { sql } from 'kysely';
import pg from 'pg';
import { type Client, type TestApp, testApp } from '../test-app.ts';

/** Written although a call is refused: the log itself, counters of limits, signs of life, and keys that are made when first needed. */
const NOTES = new Set([
  'audit_entry',
  'audit_link',
  'audit_refusal',
  'rate_bucket',
  'live_touch',
  'auth_session',
  'auth_attempt',
  'auth_captcha',
  'auth_seal_key',
  'gateway_key',
]);

export interface Fire {
  readonly app: TestApp;
  admin(call: Call): Client;
  /** Changes with any row that is written or deleted. */
  fingerprint(): Promise<string>;
  stop(): Promise<void>;
}

/** A server with an administrator on either platform, and a print of all that it holds. */
export async function appUnderFire(isManager: (call: Call) => boolean): Promise<Fire> {
  const app = await testApp({ env: { RATE_PUBLIC: '0', RATE_DEVICE: '0' } });
  const centre = await app.person('platformAdmin', app.root);
  const manager = await app.person('platformAdmin', app.root, 'manager');
  const tables = await app.context.unscoped((db) =>
    sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind = 'r' and has_table_privilege(c.oid, 'select') order by 1`.execute(db),
  );
  const text = tables.rows
    .map((row) => row.name)
    .filter((name) => !NOTES.has(name.replace(/_p?\d{4,}.*$/, '')))
    .map((name) => `select '${name}' as name, count(*)::int as rows, coalesce(max(xmin::text::bigint), 0) as newest from "${name}"`)
    .join(' union all ');
  // A connection of its own keeps the plan: to plan three hundred tables takes longer than to read them.
  const reader = new pg.Client({ connectionString: app.url });
  await reader.connect();
  return {
    app,
    admin: (call) => (isManager(call) ? manager : centre),
    fingerprint: async () =>
      (await reader.query<{ name: string; rows: number; newest: string }>({ name: 'fingerprint', text })).rows
        .map((row) => `${row.name} ${row.rows} ${row.newest}`)
        .join('\n'),
    stop: async () => {
      await reader.end();
      await app.stop();
    },
  };
}
