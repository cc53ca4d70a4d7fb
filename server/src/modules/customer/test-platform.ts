import { randomUUID } from 'node:crypto';
import type { iotCustomerCalls } from '@mooring/contract/customer/customer';
import { Fault } from '@mooring/contract/kit/fault';
import type { AppContext } from '../../platform/app-context.ts';
import type { Handler } from '../../platform/module.ts';
import { lineTo, platformOf } from './platform-rows.ts';

/** One message that says it is a test, on a connection of its own. */
export const testPlatform =
  (app: AppContext): Handler<typeof iotCustomerCalls.test> =>
  async (ctx, { id }) => {
    const row = await ctx.inTx((db) => db.selectFrom('customer_iot').select(['name', 'dept_path']).where('id', '=', id).executeTakeFirst());
    if (!row?.dept_path.startsWith(ctx.scope.path)) throw new Fault('NOT_FOUND', { code: 404 });
    const platform = await ctx.unscoped((db) => platformOf(app, db, id));
    if (!platform) throw new Fault('NOT_FOUND', { code: 404 });
    const of = { messageId: randomUUID(), seq: 0, sn: 'TEST', product: 'TEST', kind: 'test' };
    const { messageId, ...shown } = of;
    const line = lineTo(platform);
    const started = performance.now();
    const outcome = await line
      .send({ ...of, body: JSON.stringify({ id: messageId, ...shown, at: app.now() }) })
      .finally(() => line.close());
    const reason = outcome.fate === 'sent' ? null : outcome.reason;
    ctx.audit({ target: `iot platform ${row.name}`, after: { reason } });
    return { reason, status: outcome.status ?? null, tookMs: Math.round(performance.now() - started) };
  };
