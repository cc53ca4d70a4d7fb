import { type IotCustomer, iotCustomerCalls } from '@mooring/contract/customer/customer';
import type { RowOf } from '@mooring/contract/kit/entity';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { UpMessage } from '../../platform/gateway/message.ts';
import type { DeptAt } from '../org/api.ts';
import { forwardDue, Lines } from './forward.ts';
import { noteMessages } from './note-messages.ts';

export type Row = RowOf<typeof IotCustomer>;

/** A bank with a branch, another organisation, terminals that speak, and platforms that hear them. */
export interface IotBench {
  readonly app: TestApp;
  readonly bank: DeptAt;
  readonly branch: DeptAt;
  readonly other: DeptAt;
  readonly admin: Client;
  readonly keeper: Client;
  readonly outsider: Client;
  readonly productId: number;
  readonly lines: Lines;
  terminals(owner: DeptAt, n?: number): Promise<{ id: number; sn: string; path: string }[]>;
  event(of: readonly { id: number; path: string }[], name?: string, more?: object): Promise<void>;
  property(of: readonly { id: number; path: string }[], values: object): Promise<void>;
  forward(me?: string, lines?: Lines): Promise<number>;
  /** Lets the waits pass. */
  later(minutes?: number): void;
  add(input: object): Promise<Row>;
  stop(): Promise<void>;
}
export async function iotBench(): Promise<IotBench> {
  const app = await testApp();
  const admin = await app.person('platformAdmin', app.root, 'manager');
  await admin.call(systemSettingCalls.outbound, { iot: ['127.0.0.1'] });
  const bank = await app.dept('Bank');
  const branch = await app.dept('Branch', bank);
  const other = await app.dept('Other');
  const keeper = await app.person('orgManager', bank, 'manager');
  const outsider = await app.person('orgManager', other, 'manager');
  const productId = await makeProduct(app, app.root, 'A920');
  const lines = new Lines();
  let count = 0;
  const say = (kind: 'event' | 'property', of: readonly { id: number; path: string }[], data: object) =>
    app.context.unscoped(async (db) => {
      const handler = noteMessages.find((one) => one.kind === kind);
      const batch = of.map(({ id, path }) => ({ deviceId: id, deptPath: path, at: app.clock.now, data }) as unknown as UpMessage);
      await handler?.handle(db, batch, app.context);
    });
  return {
    app,
    bank,
    branch,
    other,
    admin,
    keeper,
    outsider,
    productId,
    lines,
    async terminals(owner, n = 1) {
      const sns = Array.from({ length: n }, () => `IOT-${String(++count).padStart(6, '0')}`);
      const ids = await makeDevices(app, owner, productId, sns);
      return sns.map((sn, at) => ({ id: ids[at] ?? 0, sn, path: owner.path }));
    },
    event: (of, name = 'tamper', more = {}) => say('event', of, { name, level: 'alarm', params: {}, ...more }),
    property: (of, values) => say('property', of, { values }),
    forward: (me = 'one', own = lines) => forwardDue(app.context, own, me),
    later(minutes = 10) {
      app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
    },
    async add(input) {
      const row = await keeper.call(iotCustomerCalls.add, { name: `Platform ${++count}`, deptId: bank.id, ...input } as never);
      return keeper.call(iotCustomerCalls.resume, { id: row.id });
    },
    async stop() {
      lines.close();
      await app.stop();
    },
  };
}
