import { alarmCalls } from '@mooring/contract/alert/alarm';
import { alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { alertRuleCalls } from '@mooring/contract/alert/rule';
import { sql } from 'kysely';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { setMailServer } from '../../../test/set-mail-server.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { Ctx } from '../../platform/context.ts';
import { watchAlarms } from './watch.ts';

let made = 0;
export const makeRule = (client: Client, deptId: number, more: object = {}) =>
  client.call(alertRuleCalls.add, { name: `Rule ${++made}`, deptId, kind: 'battery', forMinutes: 0, clearMinutes: 0, ...more });
export const makeReceiver = (client: Client, deptId: number, more: object = {}) =>
  client.call(alarmReceiverCalls.add, { name: `Receivers ${++made}`, deptId, emails: ['ops@example.com'], ...more });

/** The look of each minute, by the clock of the test. */
export const lookNow = (app: TestApp) => watchAlarms(app.context).run({ ...app.context, now: () => app.clock.now } as unknown as Ctx, {});

/** A bank with a branch, another organisation, and hands on their terminals and the clock. */
export async function alertBench() {
  const app = await testApp();
  const bank = await app.dept('Bank');
  const branch = await app.dept('Branch', bank);
  const other = await app.dept('Other');
  const manager = await app.person('orgManager', bank);
  const outsider = await app.person('orgManager', other);
  const productId = await makeProduct(app, app.root);
  await setMailServer(app);
  let count = 0;
  const health = (ids: readonly number[], values: { battery?: number; temperature?: number; seen_at?: Date }) =>
    app.context.unscoped((db) => db.updateTable('device_presence').set(values).where('device_id', 'in', ids).execute());
  const look = async (minutes = 1) => {
    app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
    await lookNow(app);
  };
  return {
    app,
    bank,
    branch,
    other,
    manager,
    outsider,
    productId,
    health,
    look,
    /** Without rules, and every terminal well. */
    clear: () =>
      app.context.unscoped(async (db) => {
        await sql`delete from alert_rule`.execute(db);
        await sql`update device_presence set battery = 80, temperature = 30`.execute(db);
      }),
    /** Terminals that are in use. */
    async terminals(owner: typeof bank, n: number): Promise<number[]> {
      const sns = Array.from({ length: n }, () => `ALM${String(++count).padStart(6, '0')}`);
      const ids = await makeDevices(app, owner, productId, sns);
      await health(ids, { battery: 80 });
      return [...ids];
    },
    alarmsOf: async (ruleId: number, who = manager) =>
      (await who.call(alarmCalls.page, { criteria: { ruleId }, page: { size: 200, sort: 'openedAt', order: 'asc' } })).content,
    mails: async () => {
      const { rows } = await app.context.unscoped((db) =>
        sql<{ subject: string; body_text: string }>`
          select subject, body_text from mail_message where recipient = 'ops@example.com' order by id`.execute(db),
      );
      return rows;
    },
  };
}
export type AlertBench = Awaited<ReturnType<typeof alertBench>>;
