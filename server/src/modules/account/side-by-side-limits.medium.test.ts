import { Readable } from 'node:stream';
import { alertRuleCalls, MOST_ALERT_RULES } from '@mooring/contract/alert/rule';
import { ABSENCES_AHEAD, absenceCalls } from '@mooring/contract/approval/absence-calls';
import { iotCustomerCalls, MOST_IOT_CUSTOMERS } from '@mooring/contract/customer/customer';
import { geofenceCalls, MOST_EVERYWHERE, MOST_GEOFENCES } from '@mooring/contract/geofence/geofence';
import { syncSourceCalls } from '@mooring/contract/inventory/sync';
import { MOST_WAITING } from '@mooring/contract/settings/change-request-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { signingJobCalls } from '@mooring/contract/signing/job';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { jobLimits, keyLimits } from '@mooring/contract/signing/limits';
import { signingProfileCalls } from '@mooring/contract/signing/profile';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockWaits } from '../../../test/lock-waits.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { asOwner } from '../../../test/test-server.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { addDept, type DeptAt } from '../org/api.ts';
import { makeKey, makeStore, SUBJECT } from '../signing/signing.factory.ts';

/** Limits that are counted, each reached by several who add the last one side by side; beside side-by-side.medium.test.ts. */

let app: TestApp;
let bank: DeptAt;
let other: DeptAt;
let manager: Client;
let outsider: Client;
let keeper: Client;
let officer: Client;
let second: Client;
let maintainer: Client;
let delegate: Client;
let store = 0;
const keys: number[] = [];
const guides: number[] = [];

beforeAll(async () => {
  app = await testApp({ env: { DATABASE_POOL: '12' } });
  const admin = await app.person('platformAdmin', app.root, 'manager');
  await admin.call(systemSettingCalls.outbound, { iot: ['127.0.0.1'], registers: ['127.0.0.1'] });
  [bank, other] = [await app.dept('Bank'), await app.dept('Other')];
  [manager, keeper] = [await app.person('orgManager', bank), await app.person('orgManager', bank, 'manager')];
  outsider = await app.person('orgManager', other);
  [officer, second] = [await app.person('signingOfficer', app.root), await app.person('signingOfficer', app.root)];
  const unit = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: 'Region', parent: { id: 2, path: '1.2.' } }));
  [maintainer, delegate] = [await app.person('regionMaintainer', unit), await app.person('regionMaintainer', unit)];
  store = await makeStore(officer, bank.id);
  for (const owner of [bank, other]) keys.push(await makeKey(officer, second, await makeStore(officer, owner.id)));
  const files = openStore(app.context.config, app.context.counts);
  for (const text of ['one', 'two', 'three', 'four', 'five']) {
    const { sha256, md5, size } = await files.put(Readable.from([Buffer.from(text)]));
    const values = {
      kind: '8',
      name: 'guide.txt',
      size,
      sha256,
      md5,
      user_id: officer.userId,
      dept_path: app.root.path,
      created_at: app.clock.now,
    };
    guides.push(
      await app.context.unscoped(
        async (db) => (await db.insertInto('file_file').values(values).returning('id').executeTakeFirstOrThrow()).id,
      ),
    );
  }
});
afterAll(() => app.stop());

const days = (count: number) => new Date(app.clock.now.getTime() + count * 86_400_000).toISOString();
type Send = (n: number) => ReturnType<Client['send']>;
interface Limit {
  readonly table: string;
  readonly most: number;
  readonly send: Send;
  /** What sets the row apart that the others are copies of. */
  readonly apart?: (n: number) => object;
}
const circle = { shape: 'circle', lat: 52.52, lon: 13.4, radius: 1000 };
const iot = { kind: 'https', endpoint: 'https://127.0.0.1:9/', signIn: 'token', secret: 'token-1' };
const limits: Readonly<Record<string, Limit>> = {
  ALERT_RULES_MANY: {
    table: 'alert_rule',
    most: MOST_ALERT_RULES,
    send: (n) => manager.send(alertRuleCalls.add, { name: `Rule ${n}`, deptId: bank.id, kind: 'battery' }),
  },
  GEOFENCES_EVERYWHERE: {
    table: 'geofence',
    most: MOST_EVERYWHERE,
    send: (n) => outsider.send(geofenceCalls.add, { name: `Wide ${n}`, deptId: other.id, ...circle, alarmOn: 'out' }),
  },
  GEOFENCES_MANY: {
    table: 'geofence',
    most: MOST_GEOFENCES,
    send: (n) => manager.send(geofenceCalls.add, { name: `Fence ${n}`, deptId: bank.id, ...circle }),
  },
  IOT_CUSTOMERS_MANY: {
    table: 'customer_iot',
    most: MOST_IOT_CUSTOMERS,
    send: (n) => keeper.send(iotCustomerCalls.add, { name: `Platform ${n}`, deptId: bank.id, ...iot }),
  },
  SYNC_SOURCES_MANY: {
    table: 'inventory_sync_source',
    most: 10,
    send: (n) => keeper.send(syncSourceCalls.add, { name: `Register ${n}`, url: 'http://127.0.0.1:9/', deptId: bank.id }),
  },
  ABSENCE_LIMIT: {
    table: 'approval_absence',
    most: ABSENCES_AHEAD,
    send: (n) => maintainer.send(absenceCalls.add, { delegateId: delegate.userId, fromAt: days(3 * n + 1), untilAt: days(3 * n + 2) }),
    apart: (n) => ({ from_at: days(100 + 2 * n), until_at: days(101 + 2 * n) }),
  },
  KEY_STORE_FULL: {
    table: 'signing_key',
    most: keyLimits.keysOfStore,
    send: (n) => officer.send(signingKeyCalls.generate, { storeId: store, name: `Key ${n}`, algorithm: 'p256', subject: SUBJECT }),
  },
  // By whom no key waits.
  CHANGES_MANY: {
    table: 'settings_change_request',
    most: MOST_WAITING,
    send: (n) => second.send(signingProfileCalls.add, { name: `Profile ${n}`, deptId: bank.id, kind: 'none' }),
  },
  // One person, by keys of two organisations in turn, and each time another file.
  SIGNING_MANY: {
    table: 'signing_job',
    most: jobLimits.person.open,
    send: (n) => officer.send(signingJobCalls.add, { keyId: keys[n % 2], fileId: guides[n], profile: 'cms' }),
  },
};

/** Rows like the newest one. */
const copy = (table: string, n: number, apart: Limit['apart']) =>
  app.context.unscoped(async (db) => {
    const rows = Array.from({ length: n }, (_all, at) => ({ name: `Old ${at}`, rule_id: -1 - at, fingerprint: `${at}`, ...apart?.(at) }));
    const id = sql`nextval(pg_get_serial_sequence(${table}, 'id'))`;
    await sql`insert into ${sql.table(table)} overriding system value
      select c.* from (select t from ${sql.table(table)} t order by id desc limit 1) newest, jsonb_array_elements(${JSON.stringify(rows)}::jsonb) a,
        lateral jsonb_populate_record(newest.t, a.value || jsonb_build_object('id', ${id})) c`.execute(db);
  });

test.each(Object.entries(limits))('of several who add the last one side by side, one does and the others hear %s', async (fault, limit) => {
  const { table, most, send, apart } = limit;
  const first = await send(0);
  expect([first.code, first.body?.fault]).toEqual([200, undefined]);
  await copy(table, most - 2, apart);
  const atOnce = [1, 2, 3, 4];
  // Nobody's row comes in before each has counted, or waits to count.
  const answers = await asOwner(app.url, async (owner) => {
    await owner.query('begin');
    await owner.query(`lock table ${table} in share mode`);
    const sent = Promise.all(atOnce.map(send));
    await expect.poll(() => app.context.unscoped(lockWaits), { interval: 10, timeout: 10_000 }).toBe(atOnce.length);
    await owner.query('commit');
    return sent;
  });
  expect(answers.map((one) => one.body?.fault ?? one.code).sort()).toEqual([200, fault, fault, fault]);
});
