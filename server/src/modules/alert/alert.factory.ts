import { alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { alertRuleCalls } from '@mooring/contract/alert/rule';
import type { Client, TestApp } from '../../../test/test-app.ts';
import type { Ctx } from '../../platform/context.ts';
import { watchAlarms } from './watch.ts';

let made = 0;
export const makeRule = (client: Client, deptId: number, more: object = {}) =>
  client.call(alertRuleCalls.add, { name: `Rule ${++made}`, deptId, kind: 'battery', forMinutes: 0, clearMinutes: 0, ...more });
export const makeReceiver = (client: Client, deptId: number, more: object = {}) =>
  client.call(alarmReceiverCalls.add, { name: `Receivers ${++made}`, deptId, emails: ['ops@example.com'], ...more });

/** The look of each minute, by the clock of the test. */
export const lookNow = (app: TestApp) => watchAlarms.run({ ...app.context, now: () => app.clock.now } as unknown as Ctx, {});
